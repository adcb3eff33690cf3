import { lazy, Suspense } from 'react'
import { cutText } from '../../../view/safe.ts'
import { useFold } from './fold.ts'
import { markedText } from './safe-text.tsx'

const Markdown = lazy(() => import('./markdown.tsx'))

const PLAIN_MAX = 2_000

interface ProseProps {
  readonly text: string
  /** Every word must be visible. */
  readonly whole?: boolean
}

/** An agent's text. Until the renderer is loaded it is shown as it was written. */
export function Prose({ text, whole = false }: ProseProps) {
  return (
    <Suspense fallback={<Plain text={text} />}>
      <Markdown text={text} whole={whole} />
    </Suspense>
  )
}

function Plain({ text }: { readonly text: string }) {
  // The renderer shows all of it.
  useFold(true, () => {})
  return <div className="markdown plain">{markedText(cutText(text, PLAIN_MAX).text)}</div>
}
