import type { HistoryEntry } from '../../../protocol/session.ts'
import type { SessionDetails } from '../../../view/board/board.ts'
import { changesShown } from '../../../view/changes.ts'
import { ageOf } from '../../../view/session.ts'
import { lookOf } from '../../../view/shape.ts'
import { Safe } from '../parts/safe-text.tsx'
import { StateSign } from '../parts/sign.tsx'
import { dayAndTime } from '../parts/time.ts'

/** The last changes, newest first, each with the signals that decided it. */
export function Changes({
  details,
  now,
}: {
  readonly details: SessionDetails | null
  now: number
}) {
  const history = changesShown(details?.explanation?.history ?? [])
  return (
    <section className="card">
      <h2>Changes</h2>
      <ul className="changes">
        {history.map((entry) => (
          <Change key={entry.id} entry={entry} now={now} />
        ))}
      </ul>
    </section>
  )
}

function Change({ entry, now }: { readonly entry: HistoryEntry; now: number }) {
  const { t, verdict } = entry
  const { glyph, word, colour } = lookOf(verdict)
  return (
    <li>
      <details>
        <summary>
          <StateSign glyph={glyph} colour={colour} />
          <span className={`ink-${colour}`}>
            <Safe text={word} />
          </span>
          <span className="rule">{verdict.rule}</span>
          <time className="dim age" dateTime={new Date(t).toISOString()}>
            {dayAndTime(t, now)}
          </time>
        </summary>
        <p>
          <Safe text={verdict.reason} />
        </p>
        <ul className="signals">
          {verdict.grounds.map(({ source, saw, at }) => (
            <li key={`${source} ${saw} ${at}`}>
              <span className="chip">{source}</span>
              <span>
                <Safe text={saw} />
              </span>
              <span className="dim age">{before(t, at)}</span>
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}

/** The time of a signal, relative to the change. */
function before(t: number, at: number): string {
  const ms = t - at
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms before`
  return `${ageOf(ms)} before`
}
