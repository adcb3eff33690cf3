import { useState } from 'react'
import type { LoopStep, LoopView } from '../../../protocol/loop.ts'
import type { Session } from '../../../protocol/session.ts'
import { abilitiesOf } from '../../../view/board/abilities.ts'
import type { SessionDetails } from '../../../view/board/board.ts'
import { dollars, loopLookOf, loopWordsOf, spanOf, timeOfDay } from '../../../view/loop.ts'
import { useArmed } from '../answer/use-answering.ts'
import { api } from '../api.ts'
import { useStore } from '../frame/use-store.ts'
import { Safe } from '../parts/safe-text.tsx'
import { dayAndTime } from '../parts/time.ts'

interface LoopProps {
  readonly session: Session
  readonly details: SessionDetails | null
  readonly now: number
}

/** The session's loop, every iteration, and what the user can do about it. */
export function LoopCard({ session, details, now }: LoopProps) {
  const { loop: facet } = session
  const loop = details?.loop ?? null
  const look = loop && loopLookOf(loop, '', timeOfDay)
  if (!facet) return null
  return (
    <section className="card">
      <header className="card-head">
        <h2>Loop</h2>
        <span className={look ? `ink-${look.colour}` : ''}>
          <Safe text={look?.words ?? loopWordsOf(session, timeOfDay)} />
        </span>
      </header>
      <div className="meter">
        <span>Iteration</span>
        <span className="figure-text">
          {facet.iteration} of {facet.max}
        </span>
        <progress max={facet.max} value={facet.iteration} aria-label="iterations" />
      </div>
      {loop?.prompt && (
        <p className="about">
          <Safe text={loop.prompt.slice(0, 500)} />
        </p>
      )}
      {loop && <Limits loop={loop} now={now} />}
      {loop?.open && <LoopActs loop={loop} session={session} details={details} />}
      <Steps steps={details?.steps ?? []} now={now} />
    </section>
  )
}

function Limits({ loop, now }: { readonly loop: LoopView; now: number }) {
  const { until, deadlineAt, budgetUsd, spentUsd } = loop
  const parts = [
    until === null ? null : `until ${until}`,
    deadlineAt === null ? null : `${spanOf(deadlineAt - now)} left`,
    budgetUsd === null ? null : `${dollars(spentUsd ?? 0)} of ${dollars(budgetUsd)}`,
  ].filter((part) => part !== null)
  if (parts.length === 0) return null
  return (
    <p className="dim">
      <Safe text={parts.join(' · ')} />
    </p>
  )
}

function LoopActs({ loop, session, details }: Omit<LoopProps, 'now'> & { loop: LoopView }) {
  const store = useStore()
  const [stops, setStops] = useState(false)
  const armed = useArmed(session.id)
  const { pauseLoop } = abilitiesOf(session, details)
  const act = (what: 'pause' | 'resume' | 'stop') => {
    const body = what === 'resume' ? {} : { why: 'from the page' }
    setStops(false)
    api
      .post(`/v1/loops/${encodeURIComponent(loop.id)}/${what}`, body)
      .then(() => store.send({ kind: 'notice', text: DONE[what], tone: 'plain' }))
      .catch((error: Error) => store.send({ kind: 'notice', text: error.message, tone: 'bad' }))
  }
  return (
    <div className="acts">
      {!armed && <p className="why-not">To use these buttons, click this session first.</p>}
      {pauseLoop === null ? (
        <button type="button" className="button" disabled={!armed} onClick={() => act('pause')}>
          Pause
        </button>
      ) : (
        <button
          type="button"
          className="button primary"
          disabled={!armed}
          onClick={() => act('resume')}
        >
          Resume
        </button>
      )}
      <button
        type="button"
        className={`button danger ${stops ? 'solid' : ''}`}
        disabled={!armed}
        onBlur={() => setStops(false)}
        onClick={() => (stops ? act('stop') : setStops(true))}
      >
        {stops ? 'End loop' : 'Stop'}
      </button>
    </div>
  )
}

const DONE = {
  pause: 'the loop is paused',
  resume: 'the loop continues',
  stop: 'the loop has ended',
}

function Steps({ steps, now }: { readonly steps: readonly LoopStep[]; now: number }) {
  if (steps.length === 0) return null
  return (
    <ol className="steps">
      {steps.toReversed().map((step) => (
        <li className="step" key={`${step.at} ${step.kind} ${step.iteration}`}>
          <span className="figure-text">{step.iteration}</span>
          <span>
            <strong>{step.kind}</strong> <Safe text={step.why.slice(0, 300)} />
            {step.said !== '' && (
              <span className="dim said-line">
                <Safe text={step.said.slice(0, 300)} />
              </span>
            )}
          </span>
          <span className="dim age">
            {step.tookMs === null ? '' : `${spanOf(step.tookMs)} · `}
            {step.costUsd === null ? '' : `${dollars(step.costUsd)} · `}
            {dayAndTime(step.at, now)}
          </span>
        </li>
      ))}
    </ol>
  )
}
