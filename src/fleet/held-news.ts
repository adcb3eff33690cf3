import { addressOf, type SessionAddress } from '../protocol/address.ts'

/** The first rows of a large fleet take some seconds to read. */
const HELD_MAX_MS = 5_000

/**
 * SPEC FL171. What has changed, for those who listen. The first snapshot is passed on when it
 * is whole: rows come before the heartbeats that make them fresh, and each would come twice.
 */
export class HeldNews {
  readonly #rowListeners = new Set<(address: SessionAddress) => void>()
  readonly #machineListeners = new Set<(machine: string) => void>()
  readonly #rows = new Set<SessionAddress>()
  readonly #machines = new Set<string>()
  #heldUntil: number | undefined
  #wasHeld = false

  onRow(listener: (address: SessionAddress) => void): () => void {
    this.#rowListeners.add(listener)
    return () => this.#rowListeners.delete(listener)
  }

  onMachine(listener: (machine: string) => void): () => void {
    this.#machineListeners.add(listener)
    return () => this.#machineListeners.delete(listener)
  }

  row(address: SessionAddress): void {
    if (this.#heldUntil !== undefined) this.#rows.add(address)
    else for (const listener of this.#rowListeners) listener(address)
  }

  rows(machine: string, sessions: Iterable<string>): void {
    for (const id of [...sessions]) this.row(addressOf({ machine, id }))
  }

  machine(id: string): void {
    if (this.#heldUntil !== undefined) this.#machines.add(id)
    else for (const listener of this.#machineListeners) listener(id)
  }

  both(id: string, sessions: Iterable<string>): void {
    this.machine(id)
    this.rows(id, sessions)
  }

  /** Once: later, something is shown already that may have become old. */
  hold(mono: number): void {
    if (!this.#wasHeld) this.#heldUntil = mono + HELD_MAX_MS
    this.#wasHeld = true
  }

  get heldUntil(): number | undefined {
    return this.#heldUntil
  }

  release(): void {
    if (this.#heldUntil === undefined) return
    this.#heldUntil = undefined
    const [machines, rows] = [[...this.#machines], [...this.#rows]]
    this.#machines.clear()
    this.#rows.clear()
    for (const machine of machines) this.machine(machine)
    for (const address of rows) this.row(address)
  }
}
