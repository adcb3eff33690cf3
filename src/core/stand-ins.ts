import { UNNAMED_SIGNALS_MAX } from './limits.ts'
import { shifted } from './shift.ts'
import type { Signal } from './signal.ts'

/** Under what a screen or a process stands until a session is named for it. */
export const SCREEN = 'pane:'
export const PROCESS = 'process:'

export function isStandIn(id: string): boolean {
  return id.startsWith(SCREEN) || id.startsWith(PROCESS)
}

/** A name no longer used; `became` is the session it was all along. */
export interface Gone {
  readonly id: string
  readonly became: string | undefined
}

/**
 * Screens and processes seen before anything names their session, with the signals to hand on: the
 * newest of each kind and source.
 */
export class StandIns {
  readonly #seen = new Map<string, Map<string, Signal>>()
  readonly #nameFor: (name: string) => string

  /** SPEC L8. `nameFor`: the name, or another where another agent has it. */
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

  /** What was seen of it; it is no stand-in any more. */
  close(id: string): readonly Signal[] {
    const seen = [...(this.#seen.get(id)?.values() ?? [])]
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
