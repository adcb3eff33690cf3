import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { Fold } from '../parts/fold.ts'
import { type Covered, firstUnseen, withSight } from './covered.ts'
import { bringToTop, isCutAside, sightOf } from './sight.ts'

/**
 * How much of a request has been in sight. `folded`: a part of it is not even shown yet. `aside`: a
 * part of it has no room beside the rest.
 */
type Seen = 'part' | 'folded' | 'aside' | 'whole'

export interface Looked {
  readonly seen: Seen
  /** What shows the request; each of its children is a part. */
  readonly box: RefObject<HTMLDivElement | null>
  /** Called by each part that shows only its beginning, until the returned is called. */
  readonly fold: Fold
  /** Shows what each of them has left out. */
  readonly unfold: () => void
  /** Leads to the first row that was not in sight. */
  readonly goOn: () => void
}

/**
 * SPEC SH9. The whole of a request has been in sight once every row of each of its parts has, with
 * every part unfolded. A part that comes to have another size is looked at anew.
 */
export function useSeen(digest: string): Looked {
  const box = useRef<HTMLDivElement>(null)
  const [folds, setFolds] = useState<readonly (() => void)[]>([])
  const [seen, setSeen] = useState<Seen>('part')
  const unseen = useRef<{ readonly part: Element; readonly row: number } | null>(null)
  const fold = useCallback<Fold>((show) => {
    setFolds((all) => [...all, show])
    return () => setFolds((all) => all.filter((one) => one !== show))
  }, [])
  // Nothing is scrolled: what stands above it has to be passed, too.
  const unfold = () => {
    for (const show of folds) show()
  }
  const goOn = () => {
    const { part, row } = unseen.current ?? {}
    if (!box.current || !part || row === undefined) return
    bringToTop(box.current, part.getBoundingClientRect().top + row)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another content is looked at anew
  useEffect(() => {
    const shown = box.current
    if (!shown) return
    setSeen('part')
    const parts = new Map<Element, Part>()
    return whenMoved(shown, () => {
      unseen.current = look(shown, parts)
      setSeen([...shown.children].some(isCutAside) ? 'aside' : unseen.current ? 'part' : 'whole')
    })
  }, [digest])
  return { seen: folds.length > 0 ? 'folded' : seen, box, fold, unfold, goOn }
}

interface Part {
  readonly size: string
  readonly covered: Covered
}

/** Adds what is in sight now; gives the first row that never was. */
function look(box: Element, parts: Map<Element, Part>) {
  const sight = sightOf(box)
  let first: { readonly part: Element; readonly row: number } | null = null
  for (const part of box.children) {
    const { top, bottom, width, height } = part.getBoundingClientRect()
    const size = `${Math.round(width)} ${Math.round(height)}`
    const before = parts.get(part)
    const [from, to] = [Math.max(top, sight.top) - top, Math.min(bottom, sight.bottom) - top]
    const covered = withSight(before?.size === size ? before.covered : [], from, to)
    parts.set(part, { size, covered })
    const row = firstUnseen(covered, height)
    if (row !== null) first ??= { part, row }
  }
  return first
}

/** Called before the next frame whenever something was scrolled, or came to have another size. */
function whenMoved(box: Element, act: () => void): () => void {
  const over = new AbortController()
  let frame = 0
  const moved = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(act)
  }
  const sizes = new ResizeObserver(moved)
  const watch = () => {
    for (const one of [box, ...box.children]) sizes.observe(one)
    moved()
  }
  const parts = new MutationObserver(watch)
  parts.observe(box, { childList: true })
  for (const name of ['scroll', 'resize'])
    addEventListener(name, moved, { signal: over.signal, capture: true, passive: true })
  watch()
  return () => {
    over.abort()
    sizes.disconnect()
    parts.disconnect()
    cancelAnimationFrame(frame)
  }
}
