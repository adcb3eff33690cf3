import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aRequest } from '../../test/support/open-request.ts'
import { aSession } from '../../test/support/sessions.ts'
import type { Session } from '../protocol/session.ts'
import type { SessionDetails } from '../view/board/board.ts'
import { type DetailsApi, DetailsLoader } from './details-loader.ts'

let asked: string[]
let loaded: SessionDetails[]
let answer: () => Promise<void>
let loader: DetailsLoader

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  loaded = []
  answer = async () => {}
  const ask =
    <T>(name: string, value: T) =>
    async (about: string | { session: string }): Promise<T> => {
      asked.push(`${name} ${typeof about === 'string' ? about : about.session}`)
      await answer()
      return value
    }
  const api: DetailsApi = {
    explain: ask('explain', undefined),
    talk: ask('talk', { said: ['done'], call: null }),
    requests: ask('requests', { requests: [aRequest()] }),
    loop: ask('loop', undefined),
    loopHistory: ask('steps', { steps: [] }),
    acts: ask('acts', { acts: [] }),
  }
  loader = new DetailsLoader(api, (details) => loaded.push(details))
})
afterEach(() => {
  loader.stop()
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const one = (over: Partial<Session> = {}) => aSession({ id: 'one', ...over })

describe('[BD8] details', () => {
  it('are loaded when a session is selected, the first at once, others once you stay', async () => {
    loader.select(one())
    await pass(0)
    expect(asked).toEqual(['explain one', 'talk one', 'acts one'])
    expect(loaded).toMatchObject([{ id: 'one', talk: { said: ['done'] }, requests: [] }])
    asked = []
    for (const id of ['two', 'three', 'four']) {
      loader.select(aSession({ id }))
      await pass(30)
    }
    await pass(100)
    expect(asked).toEqual(['explain four', 'talk four', 'acts four'])
  })

  it('have requests and a loop where the row has', async () => {
    const loop = { state: 'ACTIVE', iteration: 1, max: 2, hold: null, until: null }
    loader.select(one({ asks: ['r1'], loop }))
    await pass(0)
    expect(asked.toSorted()).toEqual([
      'acts one',
      'explain one',
      'loop one',
      'requests one',
      'steps one',
      'talk one',
    ])
    expect(loaded[0]?.requests).toHaveLength(1)
  })

  it('come again with the row: at once for what it asks, else once a second', async () => {
    loader.select(one())
    await pass(10)
    for (let times = 0; times < 30; times += 1) {
      loader.select(one({ title: `title ${times}` }))
      await pass(100)
    }
    expect(loaded.length).toBeGreaterThanOrEqual(3)
    expect(loaded.length).toBeLessThanOrEqual(4)
    await pass(2_000)
    const before = loaded.length
    loader.select(one({ title: 'more' }))
    await pass(0)
    loader.select(one({ title: 'more', asks: ['r1'] }))
    await pass(0)
    expect(loaded).toHaveLength(before + 2)
    expect(loaded.at(-1)?.requests).toHaveLength(1)
  })

  it('of a session that is not selected any more are dropped', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    answer = () => promise
    loader.select(one())
    await pass(0)
    answer = async () => Promise.reject(new Error('lost'))
    loader.select(aSession({ id: 'two' }))
    await pass(80)
    resolve()
    await pass(200)
    expect(loaded.map(({ id, talk }) => [id, talk])).toEqual([['two', null]])
  })
})

it('[BD9] nothing is asked while the row is the same', async () => {
  const row = one({ state: 'working' })
  loader.select(row)
  await pass(0)
  asked = []
  for (let times = 0; times < 60; times += 1) {
    loader.select(row)
    await pass(1_000)
  }
  expect(asked).toEqual([])
  loader.select(undefined)
  await pass(5_000)
  expect(asked).toEqual([])
})

it('[FL200] of an unreachable machine stay, and come again once it is back', async () => {
  loader.select(one())
  await pass(0)
  asked = []
  loader.select(one({ stale: 5, live: false }))
  await pass(5_000)
  expect([asked, loaded.map(({ talk }) => talk?.said)]).toEqual([[], [['done']]])
  loader.select(aSession({ id: 'two', stale: 5 }))
  await pass(100)
  expect([asked, loaded.at(-1)]).toMatchObject([[], { id: 'two', talk: null, requests: [] }])
  loader.select(aSession({ id: 'two' }))
  await pass(0)
  expect(asked).toEqual(['explain two', 'talk two', 'acts two'])
})

it('[FL200] a reply that fails because the machine is gone replaces nothing', async () => {
  loader.select(one())
  await pass(0)
  const { promise, reject } = Promise.withResolvers<void>()
  answer = () => promise
  loader.select(one({ asks: ['r1'] }))
  await pass(0)
  loader.select(one({ asks: ['r1'], stale: 5 }))
  reject(new Error('offline'))
  await pass(2_000)
  expect(loaded).toHaveLength(1)
})
