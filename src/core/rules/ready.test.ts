import { expect, it } from 'vitest'
import { judge } from '../judge.ts'
import { nextLook } from '../next-look.ts'
import { Sessions } from '../sessions.ts'
import type { Happening, Signal } from '../signal.ts'

const BEGIN = 1_000_000
const RUNS = { kind: 'process', alive: true, ours: true } as const
const IDLE = { kind: 'self-report', status: 'idle', said: 'idle', turnOnly: true } as const

/** A client that has just started, and that a server tells of 0.3 s later. */
function started(...more: readonly [Signal['source'], Happening, number][]) {
  const sessions = new Sessions()
  const about = { agent: 'fable', session: 'one', pid: 4_711, start: '1' }
  const take = (source: Signal['source'], happening: Happening, ms: number) =>
    sessions.take({ ...happening, at: BEGIN + ms, source, about })
  take('process', RUNS, 0)
  take('server', IDLE, 300)
  for (const [source, happening, ms] of more) take(source, happening, ms)
  const facts = sessions.facts('one')
  if (!facts) throw new Error('the session is not known')
  return { at: (ms: number) => judge(facts, BEGIN + ms).state, facts }
}

it('[R11] a server’s idle waits for the terminal of a client that has just started', () => {
  const { at, facts } = started()
  expect([at(301), at(999), at(1_000)]).toEqual(['starting', 'starting', 'idle'])
  expect(nextLook(facts, BEGIN + 301)).toBe(BEGIN + 1_000)
})

it('[R11] and no longer than until its title, its screen or a hook is seen', () => {
  for (const source of ['title', 'screen', 'hook'] as const)
    expect([source, started([source, { kind: 'life' }, 500]).at(501)]).toEqual([source, 'idle'])
  expect(started(['transcript', { kind: 'life' }, 500]).at(501)).toBe('starting')
})

it('[R11] what else a server reports counts at once', () => {
  const working = { ...IDLE, status: 'working', said: 'active' } as const
  expect(started(['server', working, 400]).at(401)).toBe('working')
  expect(started(['server', working, 400], ['server', IDLE, 800]).at(801)).toBe('starting')
})
