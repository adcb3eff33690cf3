import type { Verdict } from '../core/verdict.ts'
import { stateWords } from '../core/words.ts'
import type { Lane, Timeline, TimelineSpan } from '../protocol/insight.ts'
import { type Noted, type Piece, piecesOf, turnsOf } from './pieces.ts'
import type { Steps } from './steps.ts'

/**
 * The most spans of a lane: on the widest screen more would be less than five pixels apart. Zooming
 * in asks for less time and shows them all.
 */
export const LANE_SPANS_MAX = 400

/** Users scroll no further; a session with more subagents is viewed in parts. */
const SUBAGENT_LANES_MAX = 24

/** The longest text of a span. */
const WORD_MAX_CHARS = 200

interface Parts {
  readonly session: string
  readonly from: number
  readonly to: number
  readonly pieces: readonly Piece[]
  /** Of the changes that `changesShown` returned. */
  readonly verdicts: ReadonlyMap<number, Verdict>
  readonly steps: Steps
  /** From when on all reports were read; null when all were. */
  readonly stepsFrom: number | null
}

export interface TimelineStretches {
  readonly pieces: readonly Piece[]
  /** The changes whose verdicts are needed to show them. */
  readonly changes: readonly number[]
}

export function timelineStretches(
  noted: Iterable<Noted>,
  from: number,
  to: number,
): TimelineStretches {
  const pieces = piecesOf(noted, from, to)
  const waits = pieces.filter(({ state }) => state === 'waiting')
  const shown = [...kept(pieces, LANE_SPANS_MAX, to), ...kept(waits, LANE_SPANS_MAX, to)]
  return { pieces, changes: [...new Set(shown.map(({ change }) => change))] }
}

/** SPEC IN20–IN23. */
export function timelineOf(parts: Parts): Timeline {
  const { session, from, to, pieces, verdicts, steps, stepsFrom } = parts
  const last = pieces.at(-1)
  const endedAt = last?.state === 'closed' ? last.from : null
  const states = pieces.map((piece) => stateSpan(piece, verdicts.get(piece.change)))
  const waits = pieces.flatMap((piece, i) =>
    piece.state === 'waiting'
      ? [waitSpan(states[i] as TimelineSpan, verdicts.get(piece.change))]
      : [],
  )
  const turns = turnsOf(pieces).map((turn, i) => turnSpan(turn, i))
  const all: Lane[] = [
    { kind: 'state', name: 'state', spans: states },
    { kind: 'turn', name: 'turns', spans: turns },
    { kind: 'waiting', name: 'waiting', spans: waits },
    ...steps.lanes(endedAt),
  ]
  const within = all.map((lane) => ({
    ...lane,
    spans: lane.spans.filter((span) => span.from < to && (span.to ?? to) >= from),
  }))
  return { session, from, to, ...bounded(within, to), stepsFrom }
}

function bounded(lanes: readonly Lane[], to: number) {
  const filled = lanes.filter(({ kind, spans }) => kind === 'state' || spans.length > 0)
  const subagents = filled.filter(({ kind }) => kind === 'subagent')
  const beyond = new Set(subagents.slice(SUBAGENT_LANES_MAX))
  let thinned = 0
  const shown = filled.flatMap((lane) => {
    const spans = beyond.has(lane) ? [] : kept(lane.spans, LANE_SPANS_MAX, to)
    thinned += lane.spans.length - spans.length
    return beyond.has(lane) ? [] : [{ ...lane, name: cut(lane.name), spans }]
  })
  return { lanes: shown, thinned }
}

/** SPEC IN22. Where there are too many, the longest, in order; of two equal ones the earlier. */
function kept<T extends { readonly from: number; readonly to: number | null }>(
  spans: readonly T[],
  max: number,
  to: number,
): readonly T[] {
  if (spans.length <= max) return spans
  const length = (span: T) => (span.to ?? to) - span.from
  const longest = spans.toSorted((a, b) => length(b) - length(a) || a.from - b.from).slice(0, max)
  const chosen = new Set(longest)
  return spans.filter((span) => chosen.has(span))
}

function stateSpan({ from, to, state, change }: Piece, verdict: Verdict | undefined): TimelineSpan {
  const { doing: _, ...said } = verdict ?? { state, doing: undefined }
  const why = verdict && {
    change,
    rule: verdict.rule,
    reason: cut(verdict.reason),
    grounds: verdict.grounds,
  }
  return { from, to, word: cut(stateWords(said)), tone: state, detail: null, why: why ?? null }
}

function waitSpan(span: TimelineSpan, verdict: Verdict | undefined): TimelineSpan {
  const asked = verdict?.request?.text ?? verdict?.request?.tool
  const word = verdict?.for ?? 'dialog'
  return { ...span, word, detail: asked === undefined ? null : cut(asked), why: null }
}

function turnSpan(
  turn: { readonly from: number; readonly to: number | null },
  i: number,
): TimelineSpan {
  return { ...turn, word: `turn ${i + 1}`, tone: 'turn', detail: null, why: null }
}

function cut(text: string): string {
  return text.length > WORD_MAX_CHARS ? `${text.slice(0, WORD_MAX_CHARS - 1)}…` : text
}
