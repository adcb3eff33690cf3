import './timeline.css'
import { type KeyboardEvent, useMemo, useState } from 'react'
import type { Session } from '../../../protocol/session.ts'
import { useChosen } from '../frame/use-store.ts'
import { dayAndTime } from '../parts/time.ts'
import { Chart } from './chart.tsx'
import { Chosen } from './chosen.tsx'
import { laneRows } from './rows.ts'
import type { TimeWindow } from './scale.ts'
import { TimelineTable } from './table.tsx'
import { useSight, type ZoomActions } from './use-sight.ts'
import { useTimeline } from './use-timeline.ts'

/** SPEC IN24. What a session did over time. */
export function TimelineView({ session }: { readonly session: Session }) {
  return <OneTimeline key={session.id} session={session} />
}

function OneTimeline({ session }: { readonly session: Session }) {
  const state = useState<TimeWindow | null>(null)
  const { timeline, trouble } = useTimeline(session, state[0])
  const now = useChosen((known) => Math.floor(known.now / 1_000) * 1_000)
  const goesOnTo = session.state === 'closed' ? 0 : (session.stale ?? now)
  const { seen, whole, look, chosen, choose, acts } = useSight(timeline, state, goesOnTo)
  const lanes = useMemo(() => timeline?.lanes.map(laneRows) ?? [], [timeline])
  if (!timeline)
    return <p className={trouble === null ? 'dim' : 'trouble'}>{trouble ?? 'Reading …'}</p>
  const { thinned, stepsFrom } = timeline
  return (
    <section className="card timeline" aria-label="timeline">
      <div className="card-head">
        <h2>Timeline</h2>
        <p className="dim age">
          {dayAndTime(seen.from, now)} – {dayAndTime(seen.to, now)}
        </p>
        <Controls acts={acts} isAll={state[0] === null} />
      </div>
      {trouble !== null && <p className="trouble">{trouble}</p>}
      <fieldset
        className="timeline-field"
        aria-label={FIELD_LABEL}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move and zoom it
        tabIndex={0}
        onKeyDown={(event) => pressed(event, acts)}
      >
        <Chart {...{ lanes, sight: seen, whole, chosen, look, choose }} />
      </fieldset>
      {thinned > 0 && (
        <p className="dim">{thinned} of the shortest are left out; zoom in to see them.</p>
      )}
      {stepsFrom !== null && (
        <p className="dim">Tools are known from {dayAndTime(stepsFrom, now)} on.</p>
      )}
      {chosen ? <Chosen span={chosen} now={now} /> : <p className="dim hint">{HINT}</p>}
      <TimelineTable timeline={timeline} now={now} />
    </section>
  )
}

const FIELD_LABEL =
  'Time runs from left to right. Arrows move and choose a state, + and - zoom, Home shows all.'
const HINT =
  'Select a state to see what decided it. Zoom with Ctrl and the wheel, or with two fingers.'

/** Keys with a meaning here do not reach the page. */
function pressed(event: KeyboardEvent, acts: ZoomActions): void {
  const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key]
  if (!act) return
  event.preventDefault()
  event.stopPropagation()
  act()
}

function Controls({ acts, isAll }: { readonly acts: ZoomActions; readonly isAll: boolean }) {
  return (
    <fieldset className="timeline-acts">
      <legend className="unseen">zoom and move</legend>
      {CONTROLS.map(([key, sign, name]) => (
        <button
          key={key}
          type="button"
          className="icon-button"
          title={name}
          disabled={isAll && NEEDS_ZOOM.has(key)}
          onClick={() => acts[key]?.()}
        >
          <span aria-hidden="true">{sign}</span>
          <span className="unseen">{name}</span>
        </button>
      ))}
    </fieldset>
  )
}

const CONTROLS = [
  ['ArrowLeft', '←', 'earlier'],
  ['ArrowRight', '→', 'later'],
  ['-', '−', 'zoom out'],
  ['+', '+', 'zoom in'],
  ['Home', '⤢', 'show all'],
] as const
const NEEDS_ZOOM: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', '-', 'Home'])
