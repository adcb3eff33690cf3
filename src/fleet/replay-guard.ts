/** 1,000 machines with 60 sessions each. One key takes about 200 bytes here. */
const REVS_MAX = 60_000

/**
 * SPEC FL12. Passes each `rev` of a key once, and only upwards: a server that sends an old row
 * again does not bring an old state back. What was deleted stays remembered for the same reason.
 */
export class RevGuard {
  readonly #last = new Map<string, number>()
  /** By machine: the highest `rev` of a key that was forgotten. Later ones are above it. */
  readonly #floors = new Map<string, number>()
  readonly #max: number

  constructor(max = REVS_MAX) {
    this.#max = max
  }

  /** Whether it is above all that came before; remembers it then. */
  accept(key: string, rev: number): boolean {
    const last = this.#last.get(key) ?? this.#floors.get(machineIn(key)) ?? -1
    if (rev <= last) return false
    this.#last.delete(key)
    this.#last.set(key, rev)
    if (this.#last.size > this.#max) this.#dropOldest()
    return true
  }

  /** For a machine that left: its signature is worth nothing any more. */
  forget(machine: string): void {
    this.#floors.delete(machine)
    for (const key of this.#last.keys()) if (machineIn(key) === machine) this.#last.delete(key)
  }

  get size(): number {
    return this.#last.size
  }

  #dropOldest(): void {
    const [oldest] = this.#last
    if (oldest === undefined) return
    const [key, rev] = oldest
    const machine = machineIn(key)
    this.#last.delete(key)
    this.#floors.set(machine, Math.max(rev, this.#floors.get(machine) ?? 0))
  }
}

/** `row.<machine>.<hash>`, `beat.<machine>`; the roster has no machine. */
function machineIn(key: string): string {
  return key.split('.', 2)[1] ?? key
}
