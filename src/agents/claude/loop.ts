import type { About, Happening, LoopFacet, Report } from '../../core/signal.ts'
import { type Fields, fields, number, short } from '../read.ts'

export function aboutLoop(report: Report): About {
  return { agent: 'claude', session: short(report.session) }
}

/**
 * SPEC T13. What the keeper of loops tells of a session: the loop it is in, and whether the turn
 * that asked to end may (`let`) or goes on (`kept`).
 */
export function fromLoop(report: Report): Happening[] {
  if (short(report.session) === undefined) return []
  const loop = facetOf(report.loop)
  return [
    ...(loop === undefined ? [] : [{ kind: 'loop' as const, loop }]),
    ...(report.turn === 'let' ? [{ kind: 'turn-ended' as const, how: 'done' as const }] : []),
    ...(report.turn === 'kept' ? [{ kind: 'turn-started' as const, by: 'hook' as const }] : []),
  ]
}

function facetOf(value: unknown): LoopFacet | null | undefined {
  if (value === null) return null
  const { state, iteration, max, hold, until }: Fields = fields(value)
  const [at, of] = [number(iteration), number(max)]
  const named = short(state)
  if (named === undefined || at === undefined || of === undefined) return undefined
  const held = short(hold) ?? null
  return { state: named, iteration: at, max: of, hold: held, until: number(until) ?? null }
}
