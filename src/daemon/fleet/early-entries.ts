import type { ArrivedEntry } from './bucket-reader.ts'

/** A usual bucket whole: a machine that was away reads it before the list of machines. */
export const EARLY_MAX_BYTES = 64_000_000
/** 3,000 rows of a usual size. No member can take the others' room. */
export const EARLY_OF_ONE_MAX_BYTES = 4_000_000
/** What a value takes beside its bytes, as measured. */
const ENTRY_BYTES = 300

/**
 * SPEC FL139. The newest values that cannot be read with the present roster, by key. Beyond its
 * limits the oldest go: rows that are missed then are fetched again (FL46).
 */
export class EarlyEntries {
  readonly #entries = new Map<string, ArrivedEntry>()
  readonly #ofMachines = new Map<string, Map<string, number>>()
  readonly #bytesOf = new Map<string, number>()
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  add(entry: ArrivedEntry): void {
    const { key, value } = entry
    this.delete(key)
    const machine = machineIn(key)
    const bytes = (value?.length ?? 0) + ENTRY_BYTES
    if (bytes > EARLY_OF_ONE_MAX_BYTES) return
    // A part of what arrived would keep all that arrived with it.
    this.#entries.set(key, value ? { ...entry, value: new Uint8Array(value) } : entry)
    const keys = this.#ofMachines.get(machine) ?? new Map<string, number>()
    this.#ofMachines.set(machine, keys.set(key, bytes))
    this.#count(machine, bytes)
    while ((this.#bytesOf.get(machine) ?? 0) > EARLY_OF_ONE_MAX_BYTES) this.#dropFirst(keys)
    while (this.#bytes > EARLY_MAX_BYTES) this.#dropFirst(this.#entries)
  }

  delete(key: string): void {
    const machine = machineIn(key)
    const keys = this.#ofMachines.get(machine)
    const bytes = keys?.get(key)
    if (!keys || bytes === undefined) return
    this.#entries.delete(key)
    keys.delete(key)
    if (keys.size === 0) this.#ofMachines.delete(machine)
    this.#count(machine, -bytes)
  }

  /** In the order in which they came; they are not kept any more. */
  take(isReadable: (entry: ArrivedEntry) => boolean): readonly ArrivedEntry[] {
    const taken = [...this.#entries.values()].filter(isReadable)
    for (const { key } of taken) this.delete(key)
    return taken
  }

  #count(machine: string, bytes: number): void {
    this.#bytes += bytes
    const all = (this.#bytesOf.get(machine) ?? 0) + bytes
    if (all === 0) this.#bytesOf.delete(machine)
    else this.#bytesOf.set(machine, all)
  }

  #dropFirst(keys: ReadonlyMap<string, unknown>): void {
    const [oldest] = keys.keys()
    if (oldest !== undefined) this.delete(oldest)
  }
}

/** The server lets a member write under its own id alone. */
function machineIn(key: string): string {
  return key.split('.', 2)[1] ?? ''
}
