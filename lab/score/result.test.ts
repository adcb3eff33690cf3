import { describe, expect, it } from 'vitest'
import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import { scoreRun } from '../../src/recording/client-runs.ts'
import { percent } from '../../src/recording/meter.ts'
import { allRecordings } from '../../test/support/recordings.ts'
import { brokenGates } from './gates.ts'
import { LEFT_OUT, type Result, resultOf } from './result.ts'
import { type SumFigures, sumsOf } from './sums.ts'

const [APPROVE] = allRecordings().filter(({ name }) => name === 'bash_approve')
const LINES = APPROVE?.lines ?? []
const PID = LINES.find(({ source }) => source === 'registry')?.pid
const END = LINES.at(-1)?.t ?? 0

function result(lines: readonly RecordedLine[] = LINES, failed?: string): Result {
  const about = { name: 'bash_approve', shows: 'A command is allowed.', client: '2.1.325' }
  return resultOf({ ...about, lines, ...(failed !== undefined && { failed }) })
}

/** A daemon that reports this much later what the core said. */
function watched(lateMs: number): RecordedLine[] {
  const told = result().clients[0]?.speakers[0]?.told ?? []
  const samples = told.map(({ t, verdict }) => ({
    t: t + lateMs,
    source: 'vigil',
    sessions: [{ ...verdict, id: verdict.session, pid: PID }],
  }))
  return [...LINES, ...samples].toSorted((one, other) => one.t - other.t)
}

describe('the core', () => {
  it('is measured as by `vigil score`, to 20 s past the end', () => {
    const { core, clients } = result()
    const told = clients[0]?.speakers[0]?.told ?? []
    expect(core?.score).toEqual(scoreRun(LINES, told, END + 20_000))
  })

  it('is measured without each source, and without the pairs a user may lack', () => {
    expect(Object.keys(result().without)).toEqual([...LEFT_OUT])
    expect(LEFT_OUT).toEqual([
      ...['process', 'registry', 'hook', 'transcript', 'statusline', 'screen'],
      ...['registry,screen', 'hook,registry'],
    ])
    const few = LINES.filter(({ source }) => source !== 'transcript' && source !== 'screen')
    const { without } = result(few)
    const share = (names: string) =>
      percent(without[names]?.rightMs ?? 0, without[names]?.totalMs ?? 0)
    expect(share('hook,registry')).toBeLessThan(share('hook'))
  })

  it('is measured by the screen where the client’s file tells no status', () => {
    const mute = LINES.map((line) =>
      line.source === 'registry' && line.file
        ? { ...line, file: { ...line.file, status: undefined } }
        : line,
    )
    expect(result().truthFrom).toBe('registry')
    const older = { name: 'old', shows: '', client: '2.1.100', lines: mute }
    expect(resultOf(older)).toMatchObject({
      truthFrom: 'screen',
      core: { score: { finalRight: true } },
    })
    // A source that could have said it and did not: unknown.
    expect(result(mute)).toMatchObject({ truthFrom: 'registry', core: undefined })
  })

  it('of a run without lines is not measured', () => {
    expect(result([], 'no tmux')).toMatchObject({ core: undefined, live: undefined, without: {} })
  })
})

describe('the daemon', () => {
  it('is not measured where none watched', () => {
    expect(result().live).toBeUndefined()
    expect(result().clients[0]?.speakers.map(({ who }) => who)).toEqual(['core'])
  })

  it('is measured to the last line, by its samples', () => {
    const { live, clients } = result(watched(40))
    expect(live?.score.worst).toBeUndefined()
    expect(live?.score.totalMs).toBeLessThan(END - (LINES[0]?.t ?? 0))
    expect(clients[0]?.speakers.map(({ who }) => who)).toEqual(['core', 'live'])
  })

  it('is wrong when it is late, and that is where it is drawn', () => {
    const { live, clients } = result(watched(900))
    const wrong = clients[0]?.speakers[1]?.wrong ?? []
    const wrongMs = wrong.reduce((sum, { from, to }) => sum + to - from, 0)
    expect(wrongMs).toBe((live?.score.totalMs ?? 0) - (live?.score.rightMs ?? 0))
    expect(wrongMs).toBeGreaterThan(500)
  })

  it('is not held to the time it was away', () => {
    const late = watched(900)
    const [from, to] = [LINES[0]?.t ?? 0, END]
    const killed = [
      { t: from, source: 'vigil', event: 'killed' },
      { t: to - 1_000, source: 'vigil', event: 'returned' },
    ]
    const { live } = result([...late, ...killed].toSorted((a, b) => a.t - b.t))
    expect(live?.score.totalMs).toBeLessThan(1_000)
  })

  it('lists sessions that the daemon made up', () => {
    const ghost = { id: 'process:1', pid: 1, state: 'starting' }
    const line = { t: END, source: 'vigil', sessions: [ghost] }
    expect(result([...LINES, line]).ghosts).toEqual(['process:1'])
  })
})

it('what its user did: text and its Enter are one', () => {
  const did = (what: string, value: unknown): RecordedLine => ({
    t: 1,
    source: 'action',
    what,
    value,
  })
  const lines = [
    ...[did('launch', ['claude', '-c']), did('text', 'hi'), did('submit', 'hi')],
    ...[did('text', 'left there'), did('key', 'Escape')],
  ]
  expect(result(lines).actions.map(({ words }) => words)).toEqual([
    ...['launch claude -c', 'submit hi', 'text left there', 'key Escape'],
  ])
})

describe('the sums', () => {
  it('are over the runs that did not fail', () => {
    const sums = sumsOf([result(watched(40)), result(watched(40)), result(LINES, 'in vain')])
    expect(sums).toMatchObject({ runs: 3, failed: 1, core: { runs: 2 }, live: { runs: 2 } })
    expect(sums.without.hook?.runs).toBe(2)
    expect(sums.live?.changes).toBe(2 * (result(watched(40)).live?.delays.ms.length ?? 0))
  })

  it('are none of none', () => {
    expect(sumsOf([])).toMatchObject({ runs: 0, core: undefined, live: undefined, without: {} })
  })
})

describe('the gate', () => {
  const KEPT: SumFigures = {
    ...{ rightPercent: 99.5, balancedPercent: 99, worstMs: 500, worstIn: 'x', finalRight: 1 },
    ...{ runs: 1, kindPercent: 0, recallPercent: {}, changes: 1, missed: 0 },
    ...{ delayMedianMs: 50, delayP99Ms: 300 },
  }

  it('is open at each limit', () => {
    expect(brokenGates(KEPT)).toEqual([])
  })

  it.each([
    ['rightPercent', 99.49, 'right 99.49 %, at least 99.5'],
    ['balancedPercent', 98.9, 'balanced 98.90 %, at least 99'],
    ['worstMs', 501, 'longest wrong 501 ms, at most 500'],
    ['delayMedianMs', 51, 'median delay 51 ms, at most 50'],
    ['delayP99Ms', 301, 'p99 delay 301 ms, at most 300'],
  ])('is shut when %s is %d', (figure, value, words) => {
    expect(brokenGates({ ...KEPT, [figure]: value })).toEqual([words])
  })

  it('is shut when nothing was measured, open when nothing changed', () => {
    expect(brokenGates(undefined)).toEqual(['nothing was measured'])
    expect(brokenGates({ ...KEPT, delayMedianMs: undefined, delayP99Ms: undefined })).toEqual([])
  })
})
