import { type DiffLine, diffOf } from '../text/diff.ts'
import { cut } from '../text/safe.ts'
import { marked } from './safe-text.tsx'

interface DiffProps {
  readonly before: string
  readonly after: string
  readonly path: string
}

/** As many lines as somebody looks through before a decision; the rest is counted. */
const LINES_MAX = 600
const COLUMNS_MAX = 1_000

/** SPEC PG14. A change of a file, in colours and signs. */
export function Diff({ before, after, path }: DiffProps) {
  const lines = diffOf(before, after)
  const [added, removed] = [count(lines, 'add'), count(lines, 'del')]
  const more = lines.length - LINES_MAX
  return (
    <section className="diff" aria-label={`change of ${path}`}>
      <p className="diff-sum">
        <span className="ink-green">+{added}</span> <span className="ink-red">−{removed}</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer must scroll it too */}
      <pre tabIndex={0} data-scrolls>
        {lines.slice(0, LINES_MAX).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a change have no other names
          <Line key={at} line={line} />
        ))}
      </pre>
      {more > 0 && <p className="cut">… and {more} more lines: look at them in its terminal</p>}
    </section>
  )
}

const SIGNS = { same: ' ', add: '+', del: '−', gap: '⋯' }

function Line({ line }: { readonly line: DiffLine }) {
  const { kind, before, after, from, to } = line
  const { text, more } = cut(line.text, COLUMNS_MAX)
  return (
    <span className={`diff-line diff-${kind}`}>
      <span className="diff-number diff-before" aria-hidden="true">
        {before}
      </span>
      <span className="diff-number diff-after" aria-hidden="true">
        {after}
      </span>
      <span className="diff-sign">{SIGNS[kind]}</span>
      <span className="diff-text">
        {marked(text.slice(0, from))}
        <mark>{marked(text.slice(from, to))}</mark>
        {marked(text.slice(to))}
        {more > 0 && <em className="cut"> … {more} more letters</em>}
      </span>
      {'\n'}
    </span>
  )
}

function count(lines: readonly DiffLine[], kind: DiffLine['kind']): number {
  return lines.filter((line) => line.kind === kind).length
}
