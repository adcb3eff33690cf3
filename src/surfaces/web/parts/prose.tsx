import { lazy, Suspense } from 'react'
import { cutText } from '../../../view/safe.ts'
import { useFold } from './fold.ts'
import { markedText } from './safe-text.tsx'

const Markdown = lazy(() => import('./markdown.tsx'))

const PLAIN_MAX = 2_000

interface ProseProps {
  readonly text: string
  /** Every word of it has to be seen. */
  readonly whole?: boolean
}

/** Words of an agent's. Until what renders them is there they stand as they were written. */
export function Prose({ text, whole = false }: ProseProps) {
  return (
    <Suspense fallback={<Plain text={text} />}>
      <Markdown text={text} whole={whole} />
    </Suspense>
  )
}

function Plain({ text }: { readonly text: string }) {
  // What renders them shows all of them.
  useFold(true, () => {})
  return <div className="markdown plain">{markedText(cutText(text, PLAIN_MAX).text)}</div>
}
