import { lazy, Suspense } from 'react'
import { cut } from '../text/safe.ts'
import { marked } from './safe-text.tsx'

const Markdown = lazy(() => import('./markdown.tsx'))

const PLAIN_MAX = 2_000

/** Words of an agent's. Until what renders them is there they stand as they were written. */
export function Prose({ text }: { readonly text: string }) {
  const plain = <div className="markdown plain">{marked(cut(text, PLAIN_MAX).text)}</div>
  return (
    <Suspense fallback={plain}>
      <Markdown text={text} />
    </Suspense>
  )
}
