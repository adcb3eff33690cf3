import type { TimelineSpan } from '../../../protocol/insight.ts'
import { spanOf } from '../../../view/loop.ts'
import { ageOf } from '../../../view/session.ts'
import { Safe } from '../parts/safe-text.tsx'
import { dayAndTime } from '../parts/time.ts'

/** The chosen span, and the signals that decided it. */
export function Chosen({ span, now }: { readonly span: TimelineSpan; now: number }) {
  const { word, detail, from, to, why } = span
  return (
    <div className="chosen-span" role="status">
      <p>
        <strong>
          <Safe text={word} />
        </strong>{' '}
        <span className="dim age">
          {dayAndTime(from, now)}, {lengthWords(span, now)}
          {to === null ? ' so far' : ''}
        </span>
      </p>
      {detail !== null && (
        <p className="asked">
          <Safe text={detail} />
        </p>
      )}
      {why && (
        <>
          <p>
            <span className="rule" title="the rule that decided">
              {why.rule}
            </span>{' '}
            <Safe text={why.reason} />
          </p>
          <ul className="signals">
            {why.grounds.map(({ source, saw, at }) => (
              <li key={`${source} ${saw} ${at}`}>
                <span className="chip">{source}</span>
                <span>
                  <Safe text={saw} />
                </span>
                <span className="dim age">{ageBefore(from, at)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

export function lengthWords({ from, to }: Pick<TimelineSpan, 'from' | 'to'>, now: number): string {
  const ms = Math.max(0, (to ?? now) - from)
  return ms < 1_000 ? `${Math.round(ms)} ms` : spanOf(ms)
}

function ageBefore(from: number, at: number): string {
  const ms = from - at
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms before`
  return `${ageOf(ms)} before`
}
