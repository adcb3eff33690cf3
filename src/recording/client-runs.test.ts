import { describe, expect, it } from 'vitest'
import { allRecordings } from '../../test/support/recordings.ts'
import type { RecordedLine } from '../agents/truth-reader.ts'
import {
  type ClientRun,
  joinedScore,
  linesOf,
  scoreRun,
  strandsOf,
  verdictsOf,
} from './client-runs.ts'
import type { Score } from './meter.ts'

const A = 100
const B = 200

function file(t: number, pid: number, sessionId: string, status?: string): RecordedLine {
  return { t, source: 'registry', pid, file: { sessionId, ...(status && { status }) } }
}

function gone(t: number, pid: number): RecordedLine {
  return { t, source: 'registry', pid, file: null }
}

function process(t: number, pid: number, alive: boolean): RecordedLine {
  return { t, source: 'process', pid, alive }
}

function hook(t: number, session_id: string, hook_event_name = 'Stop', env = {}): RecordedLine {
  return { t, source: 'hook', env, payload: { session_id, hook_event_name } }
}

function pids(lines: readonly RecordedLine[]): number[][] {
  return strandsOf(lines).map((strand) => [...strand.pids])
}

describe('clients by their files', () => {
  it('are two when both live at the same time', () => {
    const lines = [file(1, A, 'a'), file(2, B, 'b'), gone(3, A), gone(4, B)]
    expect(pids(lines)).toEqual([[A], [B]])
    expect(strandsOf(lines).every(({ alone }) => !alone)).toBe(true)
  })

  it.each([
    ['its file goes', gone(2, A)],
    ['it dies and leaves its file', process(2, A, false)],
  ])('are one when the second comes after the first ended: %s', (_, end) => {
    const [strand, ...others] = strandsOf([file(1, A, 'a'), end, file(3, B, 'b')])
    expect(others).toEqual([])
    expect(strand).toMatchObject({ alone: true, pids: new Set([A, B]) })
  })

  it('go on with the strand whose session they take up', () => {
    const C = 300
    const both = [file(1, A, 'a'), file(2, B, 'b'), gone(3, A), gone(4, B)]
    expect(pids([...both, file(5, C, 'a')])).toEqual([[A, C], [B]])
    // A resumed client first has its own id.
    expect(pids([...both, file(5, C, 'c'), file(6, C, 'a')])).toEqual([[A, C], [B]])
  })

  it('else with the strand that ended last', () => {
    const both = [file(1, A, 'a'), file(2, B, 'b')]
    expect(pids([...both, gone(3, A), gone(4, B), file(5, 300, 'c')])).toEqual([[A], [B, 300]])
    expect(pids([...both, gone(3, B), gone(4, A), file(5, 300, 'c')])).toEqual([[A, 300], [B]])
    expect(pids([...both, gone(3, A), file(5, 300, 'c')])).toEqual([[A, 300], [B]])
  })

  it('name each session they ever had', () => {
    const lines = [file(1, A, 'a'), file(2, A, 'a2', 'idle'), file(3, B, 'b')]
    expect(strandsOf(lines)[0]?.sessions).toEqual(new Set(['a', 'a2']))
  })

  it('a second end, and the end of a stranger, mean nothing', () => {
    const lines = [file(1, A, 'a'), process(2, 999, false), gone(3, A), process(4, A, false)]
    expect(pids([...lines, file(5, B, 'b')])).toEqual([[A, B]])
  })
})

describe('clients that keep no file', () => {
  const both = [process(1, A, true), process(2, B, true)]

  it('are distinguished by their processes', () => {
    expect(pids(both)).toEqual([[A], [B]])
    expect(pids([process(1, A, true), process(2, A, false), process(3, B, true)])).toEqual([[A, B]])
  })

  it('own the sessions of the hooks they ran', () => {
    const told = [
      hook(3, 'a', 'Stop', { ppid: A }),
      hook(4, 'b', 'Stop', { ppid: 7, claudePid: B }),
    ]
    expect(strandsOf([...both, ...told]).map(({ sessions }) => [...sessions])).toEqual([
      ['a'],
      ['b'],
    ])
  })

  it('are one where nothing tells of any', () => {
    expect(strandsOf([hook(1, 'a')])).toMatchObject([{ alone: true }])
    expect(strandsOf([])).toMatchObject([{ alone: true }])
  })
})

describe('what is about a strand', () => {
  const lines = [
    ...[file(1, A, 'a', 'idle'), file(2, B, 'b', 'busy'), process(3, B, true)],
    ...[hook(4, 'a'), hook(5, 'b'), hook(6, 'nobody')],
  ]
  const [one, two] = strandsOf(lines) as [ClientRun, ClientRun]
  const alone: ClientRun = { ...one, alone: true }

  it('are its files and processes, and the hooks of its sessions', () => {
    expect(linesOf(one, lines).map(({ t }) => t)).toEqual([1, 4])
    expect(linesOf(two, lines).map(({ t }) => t)).toEqual([2, 3, 5])
    expect(linesOf(alone, lines)).toBe(lines)
  })

  const said = (t: number, session: string) => ({ t, verdict: { session, state: 'idle' } })
  const changes = ['process:100', 'pane:%0', 'a', 'process:200', 'b'].map((id, t) => said(t, id))

  it('are the verdicts on its sessions, and on its processes before', () => {
    expect(verdictsOf(one, changes).map(({ verdict }) => verdict.session)).toEqual([
      'process:100',
      'a',
    ])
    expect(verdictsOf(two, changes).map(({ verdict }) => verdict.session)).toEqual([
      'process:200',
      'b',
    ])
    expect(verdictsOf(alone, changes)).toEqual(changes)
  })
})

describe('the score of a run', () => {
  it('is that of its clients together, each by the newest of its own sessions', () => {
    const lines = [file(0, A, 'a', 'idle'), file(0, B, 'b', 'busy'), file(10_000, B, 'b', 'idle')]
    const changes = [
      { t: 0, verdict: { session: 'a', state: 'idle' } },
      { t: 0, verdict: { session: 'b', state: 'working' } },
    ]
    expect(scoreRun(lines, changes, 20_000)).toMatchObject({
      ...{ rightMs: 29_400, totalMs: 39_100, finalRight: false, final: 'idle/idle idle/working' },
      worst: { ms: 9_700, truth: 'idle', said: 'working' },
    })
  })

  it('is none where no client says what is true', () => {
    expect(scoreRun([process(1, A, true)], [], 1_000)).toBeUndefined()
    expect(joinedScore([])).toBeUndefined()
  })

  it('adds up, state by state', () => {
    const score = (state: 'idle' | 'working', ms: number): Score => ({
      ...{
        rightMs: ms,
        totalMs: 2 * ms,
        finalRight: true,
        final: '',
        kindRightMs: 1,
        kindTotalMs: 2,
      },
      worst: { ms, truth: state, said: 'nothing', atMs: 0 },
      byState: new Map([[state, { rightMs: ms, totalMs: 2 * ms }]]),
    })
    const sum = joinedScore([score('idle', 10), score('working', 30), score('idle', 5)])
    expect(sum).toMatchObject({ rightMs: 45, totalMs: 90, kindRightMs: 3, kindTotalMs: 6 })
    expect(sum?.worst?.truth).toBe('working')
    expect(sum?.byState.get('idle')).toEqual({ rightMs: 15, totalMs: 30 })
  })
})

it('no recording has more strands than clients were launched in it', () => {
  const more = allRecordings().filter(({ lines }) => {
    const launched = lines.filter(({ source, what }) => source === 'action' && what === 'launch')
    return strandsOf(lines).length > launched.length
  })
  expect(more.map(({ name }) => name)).toEqual([])
})
