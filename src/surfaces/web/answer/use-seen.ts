import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { Fold } from '../parts/fold.ts'

/** How much of a request has been in sight. `folded`: a part of it is not even shown yet. */
type Seen = 'part' | 'folded' | 'whole'

export interface Looked {
  readonly seen: Seen
  /** What shows the request. */
  readonly box: RefObject<HTMLDivElement | null>
  /** Called by each part that shows only its beginning, until the returned is called. */
  readonly fold: Fold
  /** Shows what each of them has left out. */
  readonly unfold: () => void
}

/**
 * SPEC SH9. The whole of a request has been in sight once the beginning of each of its parts and
 * its end have, with every part unfolded; what is unfolded leads to the end anew.
 */
export function useSeen(digest: string): Looked {
  const box = useRef<HTMLDivElement>(null)
  const [folds, setFolds] = useState<readonly (() => void)[]>([])
  const [whole, setWhole] = useState(false)
  const fold = useCallback<Fold>((show) => {
    setFolds((all) => [...all, show])
    return () => setFolds((all) => all.filter((one) => one !== show))
  }, [])
  // Nothing is scrolled: what stands above it has to be passed, too.
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
    // What was unfolded stands above the end.
    for (const end of marks.slice(-1)) left.current.add(end)
    return observed(left.current, box.current, () => setWhole(true))
  }, [folds.length, digest])
  return { seen: folds.length > 0 ? 'folded' : whole ? 'whole' : 'part', box, fold, unfold }
}

/** Takes out what comes into sight, until nothing is left. */
function observed(marks: Set<Element>, box: Element | null, done: () => void): () => void {
  // What stands over the foot of a narrow page hides what is below it.
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
