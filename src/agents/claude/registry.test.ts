import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Report } from '../../core/signal.ts'
import { aboutRegistry, fromRegistry, registryTime } from './registry.ts'
import { translateClaude } from './translate.ts'

const T = 1_000_000

const reportOf = (file: unknown): Report => ({ t: T, source: 'registry', pid: 4711, file })
const wordOf = (status: string, waitingFor?: string) =>
  fromRegistry(reportOf({ sessionId: 's', status, waitingFor }))[0]

describe("the client's word", () => {
  it.each([
    ['busy', 'working'],
    ['idle', 'idle'],
    ['shell', 'background'],
  ])('[X5] %s is %s', (said, status) => {
    expect(wordOf(said)).toEqual({ kind: 'self-report', status, said })
  })

  it.each([
    ['permission prompt', 'permission'],
    ['sandbox request', 'permission'],
    ['worker request', 'permission'],
    ['input needed', 'question'],
    ['dialog open', 'dialog'],
    ['a new kind of thing', 'permission'],
  ])('[X5] waiting is waiting, and for what is kept as said: %s', (waitingFor, kind) => {
    const word = { kind: 'self-report', status: 'waiting', said: waitingFor, for: kind }
    expect(wordOf('waiting', waitingFor)).toEqual(word)
  })

  it('[X5] waiting may not say for what', () => {
    expect(wordOf('waiting')).toMatchObject({ status: 'waiting', said: 'waiting' })
  })

  it.each(['dreaming', 'BUSY', 'busy ', 'constructor', '__proto__', 'toString'])(
    '[X5] any other is kept as it was said and decides nothing: %s',
    (said) => {
      expect(wordOf(said)).toEqual({ kind: 'self-report', status: 'other', said })
    },
  )

  it('holds since its own time', () => {
    expect(registryTime(reportOf({ status: 'idle', statusUpdatedAt: T - 50 }))).toBe(T - 50)
    // Older clients stamp only the file: the status was true at that time.
    expect(registryTime(reportOf({ status: 'idle', updatedAt: T - 50 }))).toBe(T - 50)
    expect(registryTime(reportOf({ status: 'idle' }))).toBe(T)
  })
})

describe('whom the registry is about', () => {
  const file = { pid: 4711, sessionId: 's', cwd: '/home/ada/engine', procStart: '100' }

  it('a file with a status names session and process', () => {
    expect(aboutRegistry(reportOf({ ...file, status: 'idle' }))).toEqual({
      agent: 'claude',
      session: 's',
      pid: 4711,
      start: '100',
      folder: '-home-ada-engine',
    })
  })

  it('[X9] a file without a status names a process and no session', () => {
    const signals = translateClaude(reportOf(file))
    expect(signals).toMatchObject([{ kind: 'process', alive: true, about: { pid: 4711 } }])
    expect(signals[0]?.about.session).toBeUndefined()
  })

  it('[X9] so an id that the client drops again is never named', () => {
    const path = new URL('../../../test/recordings/resume.jsonl', import.meta.url)
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    const reports = lines.map((line): Report => JSON.parse(line))
    const files = reports.filter(({ source, file }) => source === 'registry' && file !== null)
    const written = files.map(({ file }) => (file as { sessionId: string }).sessionId)
    expect(new Set(written).size).toBe(2)
    const named = files.flatMap(translateClaude).flatMap(({ about }) => about.session ?? [])
    expect(new Set(named).size).toBe(1)
  })

  it('a file that is gone is the end of its process', () => {
    expect(translateClaude(reportOf(null))).toEqual([
      {
        kind: 'left',
        how: 'exit',
        at: T,
        source: 'registry',
        about: { agent: 'claude', pid: 4711 },
      },
    ])
  })

  it('without a pid there is nothing to name', () => {
    expect(fromRegistry({ t: T, source: 'registry', file: { sessionId: 's' } })).toEqual([])
  })
})

it.each([
  [{ name: 'Weekend' }, 'Weekend'],
  [{ name: 'Weekend', nameSource: 'user' }, 'Weekend'],
  [{ name: 'engine-29', nameSource: 'user' }, 'engine-29'],
  [{ name: 'engine-29', nameSource: 'derived' }, undefined],
  [{ name: 'engine-29' }, undefined],
])('a name that the client made of the folder is no title: %j', (named, title) => {
  const [, details] = fromRegistry(reportOf({ status: 'idle', cwd: '/home/engine', ...named }))
  expect(details).toMatchObject({ kind: 'details', details: { cwd: '/home/engine' } })
  expect((details as { details: { title?: string } }).details.title).toBe(title)
})

it('details, and whether a user is present', () => {
  const file = { status: 'idle', cwd: '/engine', version: '2.1.325', name: 'Weekend' }
  const details = { cwd: '/engine', version: '2.1.325', title: 'Weekend' }
  expect(fromRegistry(reportOf({ ...file, entrypoint: 'cli' }))[1]).toEqual({
    kind: 'details',
    details,
  })
  expect(fromRegistry(reportOf({ ...file, entrypoint: 'cli' }))).toHaveLength(2)
  expect(fromRegistry(reportOf({ ...file, entrypoint: 'sdk-cli' }))[1]).toEqual({
    kind: 'unattended',
  })
})
