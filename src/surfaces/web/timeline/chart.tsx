import { useLayoutEffect, useRef, useState } from 'react'
import { STATES } from '../../../core/verdict.ts'
import type { TimelineSpan } from '../../../protocol/insight.ts'
import { planTitle } from '../../../view/plan.ts'
import { runsOf } from '../../../view/safe.ts'
import { colourOf, plain } from '../../../view/session.ts'
import { useGestures } from './gestures.ts'
import type { LaneRows } from './rows.ts'
import { type TimeWindow, ticksOf } from './scale.ts'

interface ChartProps {
  readonly lanes: readonly LaneRows[]
  readonly sight: TimeWindow
  readonly whole: TimeWindow
  readonly chosen: TimelineSpan | null
  readonly look: (sight: TimeWindow) => void
  readonly choose: (span: TimelineSpan) => void
}

const ROW_PX = 22
const GAP_PX = 8
const AXIS_PX = 22
/** Words are written into parts of at least this width, as many letters as fit. */
const WORD_MIN_PX = 34
const LETTER_PX = 6.6
const TICK_PX = 90

/** The lanes below each other, time from left to right. A table says the same in words. */
export function Chart({ lanes, sight, whole, chosen, look, choose }: ChartProps) {
  const ref = useRef<HTMLDivElement>(null)
  const width = useWidth(ref)
  useGestures(ref, { sight, whole, look })
  const x = (t: number) => ((t - sight.from) / Math.max(1, sight.to - sight.from)) * width
  let top = 0
  const drawn = lanes.map((rows) => {
    const y = top
    top += rows.rows * ROW_PX + GAP_PX
    return { rows, y }
  })
  const ticks = ticksOf(sight, width / TICK_PX).filter(({ at }) => fits(x(at), width))
  return (
    <div className="lanes">
      <ul className="lane-names" aria-hidden="true">
        {drawn.map(({ rows, y }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two subagents may have one name
          <li key={at} style={{ height: rows.rows * ROW_PX + GAP_PX }} data-y={y}>
            {letters(rows.lane.name, 40)}
          </li>
        ))}
      </ul>
      <div className="lane-field" ref={ref} data-from={sight.from} data-to={sight.to}>
        <svg width={width} height={top + AXIS_PX} aria-hidden="true">
          {ticks.map(({ at, words }) => (
            <g key={at} transform={`translate(${x(at)} 0)`}>
              <line className="tick" y2={top} />
              <text className="tick-words" y={top + 15}>
                {words}
              </text>
            </g>
          ))}
          {drawn.map(({ rows, y }) =>
            rows.placed.map(({ span, row }) => (
              <Piece
                key={`${y} ${row} ${span.from} ${span.word}`}
                span={span}
                left={x(span.from)}
                right={x(span.to ?? whole.to)}
                top={y + row * ROW_PX}
                width={width}
                isChosen={span === chosen}
                choose={choose}
              />
            )),
          )}
        </svg>
      </div>
    </div>
  )
}

/** Half the width of a time label: a label at the edge would be cut. */
const TICK_HALF_PX = 26

function fits(x: number, width: number): boolean {
  return x >= TICK_HALF_PX && x <= width - TICK_HALF_PX
}

interface PieceProps {
  readonly span: TimelineSpan
  readonly left: number
  readonly right: number
  readonly top: number
  readonly width: number
  readonly isChosen: boolean
  readonly choose: (span: TimelineSpan) => void
}

function Piece({ span, left, right, top, width, isChosen, choose }: PieceProps) {
  if (right < 0 || left > width) return null
  const from = Math.max(left, -2)
  const wide = Math.max(2, Math.min(right, width + 2) - from)
  const words = span.tone === 'task' ? 'runs' : askedOf(span) || span.word
  const room = Math.floor((wide - 10) / LETTER_PX)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys choose in the field around it
    <g
      className={`piece ${toneOf(span.tone)} ${isChosen ? 'chosen' : ''}`}
      onClick={() => choose(span)}
    >
      <rect x={from} y={top} width={wide} height={ROW_PX - 3} rx={3} />
      {wide >= WORD_MIN_PX && (
        <text x={Math.max(from, 0) + 5} y={top + 13}>
          {letters(words, room)}
        </text>
      )}
      <title>{letters(span.detail ? `${span.word}: ${span.detail}` : span.word, 280)}</title>
    </g>
  )
}

function askedOf({ tone, word, detail }: TimelineSpan): string | null {
  return tone === 'waiting' && word === 'plan' && detail ? planTitle(detail) : detail
}

/** States have the same colours as everywhere. */
function toneOf(tone: string): string {
  const state = STATES.find((one) => one === tone)
  return state ? `tone-state ink-${colourOf({ state })} tone-${state}` : `tone-${tone}`
}

function useWidth(ref: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(600)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setWidth(Math.max(1, element.clientWidth))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [ref])
  return width
}

/**
 * An agent's text in a picture, which cannot contain marks: an invisible character becomes a dot.
 */
function letters(text: string, max: number): string {
  const seen = runsOf(text.slice(0, max * 4 + 100)).map((run) =>
    run.kind === 'text' ? run.text : '·',
  )
  return plain(seen.join(''), max)
}
