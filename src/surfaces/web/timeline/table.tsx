import type { Timeline } from '../../../protocol/insight.ts'
import { Safe } from '../parts/safe-text.tsx'
import { dayAndTime } from '../parts/time.ts'
import { lengthWords } from './chosen.tsx'

/** The most rows of a table; the user zooms in for more. */
const ROWS_MAX = 500

/** SPEC IN24. The same as text, for screen readers and for reading. */
export function TimelineTable({ timeline, now }: { readonly timeline: Timeline; now: number }) {
  const all = timeline.lanes
    .flatMap(({ name, spans }) => spans.map((span) => ({ name, span })))
    .toSorted((a, b) => b.span.from - a.span.from)
  const rows = all.slice(0, ROWS_MAX)
  return (
    <details className="as-table">
      <summary>As a table</summary>
      {all.length > rows.length && (
        <p className="dim">
          The newest {rows.length} of {all.length}.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone keys scroll it */}
      <section className="scrolls" aria-label="timeline as a table" tabIndex={0}>
        <table>
          <caption className="unseen">what the session did, the newest first</caption>
          <thead>
            <tr>
              <th scope="col">from</th>
              <th scope="col">for</th>
              <th scope="col">lane</th>
              <th scope="col">what</th>
              <th scope="col">why</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, span }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two spans may be alike in everything
              <tr key={at}>
                <td className="age">{dayAndTime(span.from, now)}</td>
                <td className="age">{lengthWords(span, now)}</td>
                <td>
                  <Safe text={name} />
                </td>
                <td>
                  <Safe text={span.detail ? `${span.word}: ${span.detail}` : span.word} />
                </td>
                <td>{span.why && <Safe text={`${span.why.rule}, ${span.why.reason}`} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
