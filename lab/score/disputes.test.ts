import { describe, expect, it } from 'vitest'
import type { RecordedLine, Truth } from '../../src/agents/truth-reader.ts'
import { allRecordings } from '../../test/support/recordings.ts'
import { tableOf } from '../report/table.ts'
import { disputesOf } from './disputes.ts'
import { resultOf } from './result.ts'
import { sumsOf } from './sums.ts'

const truth = (t: number, state: Truth['state']): Truth => ({ t, state })

describe('file and screen', () => {
  const file = [truth(0, 'working'), truth(1_000, 'waiting'), truth(5_000, 'working')]

  it('that say the same, or differ for a moment, are no dispute', () => {
    const screen = [truth(100, 'working'), truth(1_200, 'waiting'), truth(5_300, 'working')]
    expect(disputesOf(file, screen, 9_000)).toEqual([])
  })

  it('that differ for longer are one, with both answers', () => {
    const screen = [truth(0, 'working'), truth(1_200, 'waiting'), truth(3_400, 'working')]
    expect(disputesOf(file, screen, 9_000)).toEqual([
      { from: 3_400, to: 5_000, registry: 'waiting', screen: 'working' },
    ])
  })

  it('disagree until the end of the run at most, and never about a dead client', () => {
    const screen = [truth(0, 'working'), truth(1_100, 'waiting'), truth(5_100, 'idle')]
    expect(disputesOf(file, screen, 6_000)).toMatchObject([{ from: 5_100, to: 6_000 }])
    expect(disputesOf([...file, truth(5_200, 'closed')], screen, 6_000)).toEqual([])
  })
})

describe('a client whose file is behind', () => {
  const recorded = allRecordings().find(({ name }) => name === 'bash_approve')?.lines ?? []
  /** The status after the dialog comes this much later. */
  const late = (ms: number): readonly RecordedLine[] => {
    const said = (line: RecordedLine) => (line.file as { status?: string } | undefined)?.status
    const asked = recorded.findIndex((line) => said(line) === 'waiting')
    const next = recorded.findIndex((line, at) => at > asked && said(line) !== undefined)
    const moved = recorded.map((line, at) => (at === next ? { ...line, t: line.t + ms } : line))
    return moved.toSorted((one, other) => one.t - other.t)
  }
  const played = (lines: readonly RecordedLine[]) =>
    resultOf({ name: 'late', shows: '', client: '2.1.325', lines })

  it('is listed with both answers and with what vigil said, and counts for nothing', () => {
    const result = played(late(1_000))
    expect(played(recorded).disputes).toEqual([])
    expect(result.disputes).toMatchObject([{ registry: 'waiting', screen: 'working' }])
    expect(result.core?.score.worst).toBeUndefined()
    const paint = (_style: string, text: string) => text
    const table = tableOf([result], sumsOf([result]), paint)
    expect(table).toMatch(/not counted: file says waiting, screen working for \d+ ms at/)
    expect(table).toMatch(/not counted: [\d.]+ s where file and screen differ, cases: 1/)
  })
})
