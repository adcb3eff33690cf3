import { describe, expect, it } from 'vitest'
import type { Line } from './read.ts'
import { speechlessIn } from './speechless.ts'

const born = (t: number, pid: number): Line => ({ t, source: 'process', pid, alive: true })
const file = (t: number, pid: number, status?: string): Line => ({
  ...{ t, source: 'registry', pid },
  file: { pid, ...(status && { status }) },
})
const spans = (pids: number[], ...lines: Line[]) => speechlessIn({ pids: new Set(pids) }, lines)

describe('a client that goes on with the session of another', () => {
  const first = [born(0, 1), file(10, 1, 'idle')]

  it('is not judged from its birth to its first word', () => {
    const second = [born(5_000, 2), file(5_100, 2), file(5_400, 2, 'idle'), file(9_000, 2, 'busy')]
    expect(spans([1, 2], ...first, ...second)).toEqual([{ from: 5_000, to: 5_400 }])
  })

  it('is judged like any other where nothing tells of its birth, or of its state', () => {
    expect(spans([1, 2], ...first, file(5_400, 2, 'idle'))).toEqual([])
    expect(spans([1, 2], ...first, born(5_000, 2), file(5_100, 2))).toEqual([])
  })

  it('the first of a run is always judged', () => {
    expect(spans([1], ...first)).toEqual([])
  })
})
