import { describe, expect, it } from 'vitest'
import type { RecordedLine, Truth } from '../agents/truth-reader.ts'
import { unreportedIn } from './unreported.ts'

const born = (t: number, pid: number): RecordedLine => ({ t, source: 'process', pid, alive: true })
const TRUTHS: readonly Truth[] = [
  { t: 10, state: 'idle' },
  { t: 4_000, state: 'closed' },
  { t: 5_400, state: 'idle' },
  { t: 9_000, state: 'working' },
]
const spans = (pids: number[], lines: RecordedLine[], truths = TRUTHS) =>
  unreportedIn({ pids: new Set(pids) }, lines, truths)

describe('a client that goes on with the session of another', () => {
  it('is not judged from its birth to its first word', () => {
    expect(spans([1, 2], [born(0, 1), born(5_000, 2)])).toEqual([{ from: 5_000, to: 5_400 }])
  })

  it('is judged like any other where nothing tells of its birth, or of its state', () => {
    const dead: RecordedLine = { t: 5_000, source: 'process', pid: 2, alive: false }
    expect(spans([1, 2], [born(0, 1), dead])).toEqual([])
    expect(spans([1, 2], [born(0, 1), born(5_000, 2)], TRUTHS.slice(0, 2))).toEqual([])
  })

  it('the first of a run is always judged', () => {
    expect(spans([1], [born(0, 1)])).toEqual([])
  })
})
