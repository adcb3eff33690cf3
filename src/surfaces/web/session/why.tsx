import type { Session } from '../../../protocol/session.ts'
import type { SessionDetails } from '../../../view/board/board.ts'
import { ageOf } from '../../../view/session.ts'
import { Safe } from '../parts/safe-text.tsx'

interface WhyProps {
  readonly session: Session
  readonly details: SessionDetails | null
  readonly now: number
}

/** The reasons of the session's state, as in `vigil why`. */
export function Why({ session, details, now }: WhyProps) {
  const { grounds = [], wouldChange = [], heard = {} } = details?.explanation ?? {}
  const ago = (at: number) => `${ageOf(now - at)} ago`
  const sources = Object.entries(heard).toSorted(([, a], [, b]) => b - a)
  return (
    <>
      <section className="card">
        <h2>
          Rule {session.rule}
          <span className="dim"> decided</span>
        </h2>
        <p className="reason">
          <Safe text={session.reason} />
        </p>
      </section>
      <section className="card">
        <h2>Decided by</h2>
        <ul className="signals">
          {grounds.map(({ source, saw, at }) => (
            <li key={`${source} ${saw} ${at}`}>
              <span className="chip">{source}</span>
              <span>
                <Safe text={saw} />
              </span>
              <span className="dim age">{ago(at)}</span>
            </li>
          ))}
        </ul>
      </section>
      <section className="card">
        <h2>What would change it</h2>
        <ul className="plain-list">
          {wouldChange.map((words) => (
            <li key={words}>
              <Safe text={words} />
            </li>
          ))}
        </ul>
      </section>
      <section className="card">
        <h2>Last reports</h2>
        <ul className="signals">
          {sources.map(([source, at]) => (
            <li key={source}>
              <span className="chip">{source}</span>
              <span />
              <span className="dim age">{ago(at)}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
