import { createContext, useContext, useEffect, useRef } from 'react'

/**
 * Gets a function that shows the rest; returns a function to call when there is no rest any more.
 */
export type Fold = (unfold: () => void) => () => void

/** Set where folded parts matter; null elsewhere. */
export const FoldContext = createContext<Fold | null>(null)

/** SPEC SH9. Reports that a text is shown only in part, while it is. */
export function useFold(isFolded: boolean, unfold: () => void): void {
  const fold = useContext(FoldContext)
  const latest = useRef(unfold)
  latest.current = unfold
  useEffect(() => (isFolded && fold ? fold(() => latest.current()) : undefined), [isFolded, fold])
}
