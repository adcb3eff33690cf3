import { createContext, useContext, useEffect, useRef } from 'react'

/** Is told how to show the rest; what it returns is called when there is no rest any more. */
export type Fold = (unfold: () => void) => () => void

/** Where it matters that something is shown only in part; nobody minds elsewhere. */
export const FoldContext = createContext<Fold | null>(null)

/** SPEC SH9. Says, while it is so, that a text is shown only in part. */
export function useFold(isFolded: boolean, unfold: () => void): void {
  const fold = useContext(FoldContext)
  const latest = useRef(unfold)
  latest.current = unfold
  useEffect(() => (isFolded && fold ? fold(() => latest.current()) : undefined), [isFolded, fold])
}
