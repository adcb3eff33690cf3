import type { Lane, TimelineSpan } from '../../../protocol/insight.ts'

/** Parallel tools are below each other, in at most this many rows. */
const ROWS_MAX = 4

interface Placed {
  readonly span: TimelineSpan
  readonly row: number
}

export interface LaneRows {
  readonly lane: Lane
  readonly rows: number
  readonly placed: readonly Placed[]
}

/** SPEC IN24. Each span in the first free row; if there is none, in the last. */
export function laneRows(lane: Lane): LaneRows {
  const ends: number[] = []
  const placed = lane.spans.map((span) => {
    const end = span.to ?? Number.POSITIVE_INFINITY
    const free = ends.findIndex((other) => other <= span.from)
    const row = free >= 0 ? free : Math.min(ends.length, ROWS_MAX - 1)
    ends[row] = Math.max(ends[row] ?? 0, end)
    return { span, row }
  })
  return { lane, rows: Math.max(1, ends.length), placed }
}
