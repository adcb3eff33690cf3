import type { State } from '../core/verdict.ts'

/** The part of a change that a timeline needs before it selects the ones to show. */
export interface Noted {
  readonly id: number
  readonly t: number
  readonly state: State | 'gone'
  readonly for: string | null
}

/** A state for as long as it lasted, with the change it came with. */
export interface Piece {
  readonly change: number
  readonly state: State
  readonly from: number
  readonly to: number | null
}

/** SPEC IN20. States in order; a change with the same state extends it. */
export function piecesOf(noted: Iterable<Noted>, from: number, to: number): Piece[] {
  const pieces: { change: number; state: State; from: number; to: number | null }[] = []
  let said: Noted | undefined
  for (const change of noted) {
    if (change.t >= to) break
    if (said?.state === change.state && said.for === change.for) continue
    const last = pieces.at(-1)
    if (last && said?.state !== 'gone') last.to ??= change.t
    said = change
    if (change.state === 'gone') continue
    pieces.push({ change: change.id, state: change.state, from: change.t, to: null })
  }
  return pieces.filter((piece) => (piece.to ?? to) > from)
}

/**
 * A turn continues while its agent waits or is stuck. A wait between turns is a subagent's, or a
 * dialog before the first turn: it begins none.
 */
const BEGINS: ReadonlySet<State> = new Set(['working', 'stuck'])
const GOES_ON: ReadonlySet<State> = new Set(['working', 'waiting', 'stuck'])

export function turnsOf(pieces: readonly Piece[]): { from: number; to: number | null }[] {
  const turns: { from: number; to: number | null }[] = []
  let open = false
  for (const { state, from, to } of pieces) {
    const last = turns.at(-1)
    if (open && last && GOES_ON.has(state)) last.to = to
    else {
      open = BEGINS.has(state)
      if (open) turns.push({ from, to })
    }
  }
  return turns
}
