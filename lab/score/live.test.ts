import { describe, expect, it } from 'vitest'
import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import type { ClientRun } from '../../src/recording/client-runs.ts'
import { awayIn, ghostsIn, liveSaid } from './live.ts'

const ALONE: ClientRun = { pids: new Set([7]), sessions: new Set(['a']), alone: true }
const ONE: ClientRun = { ...ALONE, alone: false }
const TWO: ClientRun = { pids: new Set([8]), sessions: new Set(['b']), alone: false }

interface Listed {
  readonly id: string
  readonly state: string
  readonly pid?: number | null
  readonly for?: string | null
}

function sample(t: number, ...sessions: Listed[]): RecordedLine {
  return { t, source: 'vigil', sessions }
}

const a = (state: string): Listed => ({ id: 'a', pid: 7, state })
const b = (state: string): Listed => ({ id: 'b', pid: 8, state })

function told(lines: readonly RecordedLine[], strand = ALONE): string[] | undefined {
  return liveSaid(strand, lines)?.map(({ t, verdict: { session, state, for: kind } }) =>
    [t, session, state, ...(kind ? [kind] : [])].join(' '),
  )
}

describe('what the daemon said', () => {
  it('is each change of its answers', () => {
    const waits = { ...a('waiting'), for: 'plan' }
    const lines = [
      sample(1, a('idle')),
      sample(2, a('idle')),
      sample(3, waits),
      sample(4, a('idle')),
    ]
    expect(told(lines)).toEqual(['1 a idle', '3 a waiting plan', '4 a idle'])
  })

  it('says why, and no kind where there is none', () => {
    const because = { ...a('idle'), for: null, rule: 'R5', reason: 'it says so' }
    expect(liveSaid(ALONE, [sample(1, because)])).toEqual([
      { t: 1, verdict: { session: 'a', state: 'idle', rule: 'R5', reason: 'it says so' } },
    ])
  })

  it('is nothing at all where none ran', () => {
    expect(told([{ t: 1, source: 'registry', pid: 7, file: {} }])).toBeUndefined()
  })

  it('is nothing while it lists no session, or does not answer', () => {
    const lines = [sample(1), sample(2, a('idle')), { t: 3, source: 'vigil', sessions: null }]
    expect(told(lines)).toEqual(['1  nothing', '2 a idle', '3  nothing'])
  })

  it('is still closed when a closed session is listed no more', () => {
    expect(told([sample(1, a('closed')), sample(2)])).toEqual(['1 a closed'])
    expect(told([sample(1, a('idle')), sample(2)])).toEqual(['1 a idle', '2  nothing'])
    const silent = { t: 2, source: 'vigil', sessions: null }
    expect(told([sample(1, a('closed')), silent])).toEqual(['1 a closed', '2  nothing'])
  })
})

describe('of several sessions', () => {
  const cleared = { id: 'a2', pid: 7, state: 'idle' }

  it('the one that began last counts', () => {
    const lines = [sample(1, a('idle')), sample(2, cleared, a('closed'))]
    expect(told(lines)).toEqual(['1 a idle', '2 a2 idle'])
  })

  it('one that was closed and comes back begins again', () => {
    const lines = [
      ...[sample(1, a('idle')), sample(2, a('closed'), cleared)],
      sample(3, a('idle'), { ...cleared, state: 'closed' }),
    ]
    expect(told(lines)).toEqual(['1 a idle', '2 a2 idle', '3 a idle'])
  })

  it('a stand-in that is gone leaves the word to the session it was', () => {
    const standIn = { id: 'process:7', pid: 7, state: 'starting' }
    const lines = [sample(1, a('idle')), sample(2, a('idle'), standIn), sample(3, a('working'))]
    expect(told(lines)).toEqual(['1 a idle', '2 process:7 starting', '3 a working'])
  })

  it('each client has its own', () => {
    const lines = [sample(1, a('idle')), sample(2, a('idle'), b('working'))]
    expect(told(lines, ONE)).toEqual(['1 a idle'])
    expect(told(lines, TWO)).toEqual(['1  nothing', '2 b working'])
  })

  it('what names no process is about the client that is alone', () => {
    const pane = { id: 'pane:%0', pid: null, state: 'idle' }
    expect(told([sample(1, pane)])).toEqual(['1 pane:%0 idle'])
    expect(told([sample(1, pane)], ONE)).toEqual(['1  nothing'])
  })
})

describe('a session that no client was', () => {
  const ghost = { id: 'process:99', pid: 99, state: 'starting' }

  it('does not count for any', () => {
    expect(told([sample(1, a('idle')), sample(2, a('idle'), ghost)])).toEqual(['1 a idle'])
  })

  it('is named', () => {
    const lines = [sample(1, a('idle')), sample(2, a('idle'), ghost), sample(3, ghost, b('idle'))]
    expect(ghostsIn([ALONE], lines)).toEqual(['process:99', 'b'])
    expect(ghostsIn([ONE, TWO], lines)).toEqual(['process:99'])
    expect(ghostsIn([{ ...ALONE, pids: new Set() }], lines)).toEqual([])
  })
})

describe('the time a daemon was away', () => {
  const event = (t: number, event: string): RecordedLine => ({ t, source: 'vigil', event })

  it('is from its death to a second after its return', () => {
    expect(awayIn([event(10, 'killed'), event(1_500, 'returned')])).toEqual([
      { from: 10, to: 2_500 },
    ])
    expect(awayIn([sample(1, a('idle'))])).toEqual([])
  })

  it('is the rest of the run for one that never comes back', () => {
    expect(awayIn([event(10, 'killed')])).toEqual([{ from: 10, to: Number.POSITIVE_INFINITY }])
  })
})
