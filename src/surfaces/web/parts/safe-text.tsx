import { type ReactNode, useState } from 'react'
import { cutText, runsOf } from '../../../view/safe.ts'
import { useFold } from './fold.ts'

/**
 * An agent's text within vigil's line: no character has an effect, and invisible ones are shown.
 */
export function Safe({ text }: { readonly text: string }) {
  return <bdi>{markedText(text)}</bdi>
}

export function markedText(text: string): ReactNode {
  return runsOf(text).map((run, at) =>
    run.kind === 'text' ? (
      run.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other names for its parts
      <span key={at} className="mark" title={run.name}>
        {run.code}
      </span>
    ),
  )
}

/** A screen or two; a button shows the rest. */
const FIRST_MAX = 4_000
const MORE_MAX = 100_000

/** SPEC PG22. A text of any length: cut if it would fill the page, with a button for the rest. */
export function Long({ text, first = FIRST_MAX }: { readonly text: string; first?: number }) {
  const [max, setMax] = useState(first)
  const { text: shown, more } = cutText(text, max)
  const showMore = () => setMax(max + MORE_MAX)
  useFold(more > 0, showMore)
  return (
    <>
      {markedText(shown)}
      {more > 0 && (
        <button type="button" className="more" onClick={showMore}>
          … {more.toLocaleString('en')} more letters: show{' '}
          {Math.min(more, MORE_MAX).toLocaleString('en')}
        </button>
      )}
    </>
  )
}
