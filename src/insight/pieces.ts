import type { State } from '../core/verdict.ts'

/** A change, as far as a timeline needs it before it knows which ones it shows. */
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

/** SPEC IN20. States one after the other; a change that says the same state goes on with it. */
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
 * A turn goes on while its agent waits or got stuck. What waits between turns is a subagent, or a
 * dialog before the first: that begins none.
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
