import { type ReactNode, useState } from 'react'
import { cutText, runsOf } from '../../../view/safe.ts'
import { useFold } from './fold.ts'

/** Text of an agent's in a line of our own: nothing in it acts, and what is not seen is told. */
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

/** As much as a screen or two; the rest only for who asks for it. */
const FIRST_MAX = 4_000
const MORE_MAX = 100_000

/** SPEC PG22. A text of any length: cut where it would fill the page, with the rest at hand. */
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
