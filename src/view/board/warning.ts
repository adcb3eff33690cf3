import { ageOf, plain } from '../session.ts'
import type { Board } from './board.ts'

const TROUBLE_MAX_COLUMNS = 100

/** SPEC BD10. What is wrong with the daemon, in one line; null while nothing is. */
export function warningOf({ lostSince, now, machine }: Board): string | null {
  if (lostSince !== null) return `daemon lost ${ageOf(now - lostSince)} ago, trying again`
  const [first, ...others] = machine?.troubles ?? []
  if (first === undefined) return null
  const more = others.length > 0 ? ` (and ${others.length} more: vigil doctor)` : ''
  return `${plain(first, TROUBLE_MAX_COLUMNS)}${more}`
}
