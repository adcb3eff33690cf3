import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { Fold } from '../parts/fold.ts'

/** How much of a request has been visible. `folded`: a part is not rendered yet. */
type Seen = 'part' | 'folded' | 'whole'

export interface RequestSeen {
  readonly seen: Seen
  /** The element that shows the request. */
  readonly box: RefObject<HTMLDivElement | null>
  /** Each part that shows only its beginning calls it, and later calls the returned function. */
  readonly fold: Fold
  /** Unfolds all of them. */
  readonly unfold: () => void
}

/**
 * SPEC SH9. The whole request has been visible once the beginning of each part and the end have
 * been visible, with every part unfolded; after unfolding, the end must become visible again.
 */
export function useSeen(digest: string): RequestSeen {
  const box = useRef<HTMLDivElement>(null)
  const [folds, setFolds] = useState<readonly (() => void)[]>([])
  const [whole, setWhole] = useState(false)
  const fold = useCallback<Fold>((show) => {
    setFolds((all) => [...all, show])
    return () => setFolds((all) => all.filter((one) => one !== show))
  }, [])
  // Does not scroll: the user has to pass the lines above, too.
  const unfold = () => {
    for (const show of folds) show()
  }
  const left = useRef<Set<Element>>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another content is looked at anew
  useEffect(() => {
    left.current = null
  }, [digest])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another content is looked at anew
  useEffect(() => {
    setWhole(false)
    const marks = [...(box.current?.querySelectorAll('.seen-mark') ?? [])]
    left.current ??= new Set(marks)
    // The unfolded text is above the end.
    for (const end of marks.slice(-1)) left.current.add(end)
    return observed(left.current, box.current, () => setWhole(true))
  }, [folds.length, digest])
  return { seen: folds.length > 0 ? 'folded' : whole ? 'whole' : 'part', box, fold, unfold }
}

/** Removes marks that become visible, until none is left. */
function observed(marks: Set<Element>, box: Element | null, done: () => void): () => void {
  // The bar at the bottom of a narrow page hides what is below it.
  const below = box?.parentElement?.querySelector<HTMLElement>('.acts')?.offsetHeight ?? 0
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) marks.delete(target)
      if (marks.size > 0) return
      observer.disconnect()
      done()
    },
    { rootMargin: `0px 0px -${below}px 0px` },
  )
  for (const mark of marks) observer.observe(mark)
  return () => observer.disconnect()
}
