import { UNNAMED_SIGNALS_MAX } from './limits.ts'
import { shifted } from './shift.ts'
import type { Signal } from './signal.ts'

/** Names for a screen or a process until a session is named for it. */
export const SCREEN = 'pane:'
export const PROCESS = 'process:'

export function isStandIn(id: string): boolean {
  return id.startsWith(SCREEN) || id.startsWith(PROCESS)
}

/** A name no longer in use; `became` is the session that it turned out to be. */
export interface Gone {
  readonly id: string
  readonly became: string | undefined
}

/**
 * Screens and processes seen before a source names their session, with the signals to hand over:
 * the newest of each kind and source.
 */
export class StandIns {
  readonly #seen = new Map<string, Map<string, Signal>>()
  readonly #nameFor: (name: string) => string

  /** SPEC L8. `nameFor`: the name, or a variant where another agent already uses it. */
  constructor(nameFor: (name: string) => string) {
    this.#nameFor = nameFor
  }

  has(id: string): boolean {
    return this.#seen.has(id)
  }

  open(name: string): string {
    const id = this.#nameFor(name)
    if (!this.#seen.has(id)) this.#seen.set(id, new Map())
    return id
  }

  keep(id: string, signal: Signal): void {
    this.#seen.get(id)?.set(`${signal.source}/${signal.kind}`, signal)
  }

  seen(id: string): readonly Signal[] {
    return [...(this.#seen.get(id)?.values() ?? [])]
  }

  /** Returns the signals seen so far and drops the stand-in. */
  close(id: string): readonly Signal[] {
    const seen = this.seen(id)
    this.#seen.delete(id)
    return seen.slice(-UNNAMED_SIGNALS_MAX)
  }

  shift(byMs: number): void {
    for (const seen of this.#seen.values())
      for (const [kind, signal] of seen) seen.set(kind, shifted(signal, byMs))
  }

  screens(): readonly string[] {
    return [...this.#seen.keys()].filter((id) => id.startsWith(SCREEN))
  }
}
