import type { Act } from '../../../protocol/act.ts'
import { Safe } from '../parts/safe-text.tsx'
import { dayAndTime } from '../parts/time.ts'

/** What was done to the session through vigil: by which user, where and when. */
export function ActList({ acts, now }: { readonly acts: readonly Act[]; now: number }) {
  if (acts.length === 0) return null
  return (
    <section className="card">
      <h2>Done through vigil</h2>
      <ul className="signals">
        {acts.map(({ id, at, who, where, words }) => (
          <li key={id}>
            <span className="chip">{where}</span>
            <span>
              <Safe text={words} /> <span className="dim">{who}</span>
            </span>
            <time className="dim age" dateTime={new Date(at).toISOString()}>
              {dayAndTime(at, now)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}
