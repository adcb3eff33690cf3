import { addressOf, type SessionAddress } from '../protocol/address.ts'

/** The first rows of a large fleet take some seconds to read. */
const HELD_MAX_MS = 5_000

/**
 * SPEC FL171. What has changed, for those who listen. News of the first snapshot is held, by
 * machine: rows come before the heartbeats and replies that make them fresh, and each would come
 * twice.
 */
export class HeldNews {
  readonly #rowListeners = new Set<(addresses: readonly SessionAddress[]) => void>()
  readonly #machineListeners = new Set<(machine: string) => void>()
  readonly #rows = new Map<string, Set<string>>()
  readonly #machines = new Set<string>()
  /** Machines whose news is not held any more. */
  readonly #freed = new Set<string>()
  readonly #awaited = new Set<string>()
  #isReleased = false
  #heldUntil: number | undefined
  #wasHeld = false

  onRows(listener: (addresses: readonly SessionAddress[]) => void): () => void {
    this.#rowListeners.add(listener)
    return () => this.#rowListeners.delete(listener)
  }

  onMachine(listener: (machine: string) => void): () => void {
    this.#machineListeners.add(listener)
    return () => this.#machineListeners.delete(listener)
  }

  rows(machine: string, sessions: Iterable<string>): void {
    if (this.#holds(machine)) {
      const held = this.#rows.get(machine) ?? new Set()
      for (const id of sessions) held.add(id)
      if (held.size > 0) this.#rows.set(machine, held)
      return
    }
    const addresses = [...sessions].map((id) => addressOf({ machine, id }))
    if (addresses.length > 0) for (const listener of this.#rowListeners) listener(addresses)
  }

  machine(id: string): void {
    if (this.#holds(id)) this.#machines.add(id)
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

  /** Was asked for a reply, which decides how its rows are shown. */
  await(machine: string): void {
    if (this.#heldUntil !== undefined) this.#awaited.add(machine)
  }

  /** Has replied, or does not. */
  settle(machine: string): void {
    this.#awaited.delete(machine)
    if (this.#isReleased) this.#free(machine)
  }

  /** Everything was read: only machines whose reply is awaited are held on. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    for (const machine of this.#heldMachines()) if (!this.#awaited.has(machine)) this.#free(machine)
  }

  releaseAll(): void {
    for (const machine of this.#heldMachines()) this.#free(machine)
    this.#heldUntil = undefined
    this.#awaited.clear()
    this.#freed.clear()
  }

  #heldMachines(): ReadonlySet<string> {
    return new Set([...this.#machines, ...this.#rows.keys()])
  }

  #free(machine: string): void {
    if (!this.#isHeld(machine)) return
    this.#freed.add(machine)
    const rows = this.#rows.get(machine) ?? []
    this.#rows.delete(machine)
    if (this.#machines.delete(machine)) this.machine(machine)
    this.rows(machine, rows)
  }

  #isHeld(machine: string): boolean {
    return this.#heldUntil !== undefined && !this.#freed.has(machine)
  }

  /** Returns whether its news is held from now on. */
  #holds(machine: string): boolean {
    if (!this.#isHeld(machine)) return false
    if (this.#isReleased && !this.#awaited.has(machine)) this.#freed.add(machine)
    return this.#isHeld(machine)
  }
}
