import { useState } from 'react'
import type { DiffLine } from '../../../view/diff.ts'
import { useFold } from './fold.ts'
import { Long, markedText } from './safe-text.tsx'

interface DiffProps {
  readonly lines: readonly DiffLine[]
  /** Differences that the lines do not show, in words. */
  readonly note: string | null
  readonly path: string
}

/** As many lines as a user reads at first; a button shows the rest. */
const LINES_FIRST = 600
const LETTERS_FIRST = 1_000

/** SPEC PG14. A change of a file, in colours and signs. */
export function Diff({ lines, note, path }: DiffProps) {
  const [all, setAll] = useState(false)
  const [added, removed] = [count(lines, 'add'), count(lines, 'del')]
  const more = all ? 0 : Math.max(0, lines.length - LINES_FIRST)
  useFold(more > 0, () => setAll(true))
  return (
    <section className="diff" aria-label={`change of ${path}`}>
      <p className="diff-sum">
        <span className="ink-green">+{added}</span> <span className="ink-red">−{removed}</span>
      </p>
      {note !== null && <p className="warns">{note}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must scroll it too */}
      <pre tabIndex={0} data-scrolls>
        {lines.slice(0, lines.length - more).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a change have no other names
          <Line key={at} line={line} />
        ))}
      </pre>
      {more > 0 && (
        <button type="button" className="more" onClick={() => setAll(true)}>
          … {more.toLocaleString('en')} more lines: show them
        </button>
      )}
    </section>
  )
}

const SIGNS = { same: ' ', add: '+', del: '−', gap: '⋯' }

function Line({ line }: { readonly line: DiffLine }) {
  const { kind, text, before, after, from, to } = line
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
        {text.length > LETTERS_FIRST ? (
          <Long text={text} first={LETTERS_FIRST} />
        ) : (
          <>
            {markedText(text.slice(0, from))}
            <mark>{markedText(text.slice(from, to))}</mark>
            {markedText(text.slice(to))}
          </>
        )}
      </span>
      {'\n'}
    </span>
  )
}

function count(lines: readonly DiffLine[], kind: DiffLine['kind']): number {
  return lines.filter((line) => line.kind === kind).length
}
