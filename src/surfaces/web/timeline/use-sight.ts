import { useState } from 'react'
import type { Lane, Timeline, TimelineSpan } from '../../../protocol/insight.ts'
import { isWhole, movedWindow, showing, type TimeWindow, zoomed } from './scale.ts'

const NEARER = 0.5
const FARTHER = 2
const STEP = 0.25

/**
 * The visible period, the chosen span, and what keys and buttons do with both. What is open grows
 * up to `goesOnTo` without another load.
 */
export function useSight(
  timeline: Timeline | null,
  [sight, setSight]: SightState,
  goesOnTo: number,
) {
  const [at, setAt] = useState<{ readonly lane: string; readonly from: number } | null>(null)
  const [extent, setExtent] = useState<TimeWindow | null>(null)
  const whole = wholeOf(timeline, sight, extent, goesOnTo)
  if (timeline && (extent?.from !== whole.from || extent.to !== whole.to)) setExtent(whole)
  const seen = sight ?? whole
  const look = (next: TimeWindow) => setSight(isWhole(next, whole) ? null : next)
  const lanes = timeline?.lanes ?? []
  const states = lanes[0]?.spans ?? []
  const chosen = chosenOf(lanes, at)
  const choose = (span: TimelineSpan) => {
    const lane = lanes.find(({ spans }) => spans.includes(span))
    setAt(lane ? { lane: lane.kind, from: span.from } : null)
  }
  const step = (by: number) => {
    const now = chosen ? states.indexOf(chosen) : -1
    const next = now < 0 ? states.at(by > 0 ? 0 : -1) : states[now + by]
    if (!next) return
    choose(next)
    look(showing(seen, { from: next.from, to: next.to ?? whole.to }, whole))
  }
  const middle = (seen.from + seen.to) / 2
  const acts: ZoomActions = {
    '+': () => look(zoomed(seen, NEARER, middle, whole)),
    '=': () => look(zoomed(seen, NEARER, middle, whole)),
    '-': () => look(zoomed(seen, FARTHER, middle, whole)),
    ArrowLeft: () => look(movedWindow(seen, -STEP, whole)),
    ArrowRight: () => look(movedWindow(seen, STEP, whole)),
    ArrowUp: () => step(-1),
    ArrowDown: () => step(1),
    Home: () => setSight(null),
    End: () => look({ from: whole.to - (seen.to - seen.from), to: whole.to }),
  }
  return { seen, whole, look, chosen, choose, acts }
}

export type SightState = readonly [TimeWindow | null, (sight: TimeWindow | null) => void]
export type ZoomActions = Readonly<Record<string, () => void>>

/** A closer look loads only a part: the whole stays as it was. */
function wholeOf(
  timeline: Timeline | null,
  sight: TimeWindow | null,
  extent: TimeWindow | null,
  goesOnTo: number,
): TimeWindow {
  if (!timeline) return { from: 0, to: 1 }
  const { from, to } = timeline
  if (sight && extent && from > extent.from) return extent
  return { from: Math.min(from, extent?.from ?? from), to: Math.max(to, goesOnTo) }
}

/** By its lane and beginning: after a reload it is another object. */
function chosenOf(
  lanes: readonly Lane[],
  at: { readonly lane: string; readonly from: number } | null,
): TimelineSpan | null {
  if (!at) return null
  const spans = lanes.filter(({ kind }) => kind === at.lane).flatMap((lane) => lane.spans)
  return spans.find(({ from }) => from === at.from) ?? null
}
