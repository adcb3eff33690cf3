import { SESSIONS_MAX } from './limits.ts'
import type { Signal } from './signal.ts'
import { asSubagents } from './subagents.ts'

/** SPEC B10. Threads that are no sessions: those of subagents, and the client's own. */
export class NestedThreads {
  /** Of a subagent the session that it belongs to; null for a thread of the client itself. */
  readonly #owners = new Map<string, string | null>()

  /** What the signal means for the session that its thread belongs to; none for a session. */
  take(signal: Signal): readonly Signal[] | undefined {
    const { session } = signal.about
    if (session === undefined) return undefined
    if (signal.kind === 'is-hidden') this.#learn(session, null)
    if (signal.kind === 'is-subagent') this.#learn(session, signal.of)
    const owner = this.#outermost(session)
    if (owner === session) return undefined
    return owner === null ? [] : asSubagents(signal, owner)
  }

  /** Subagents have subagents. Ends, because no thread is learnt to belong to itself. */
  #outermost(thread: string): string | null {
    let outer: string | null = thread
    for (let next = this.#owners.get(thread); next !== undefined; next = this.#owners.get(outer)) {
      outer = next
      if (outer === null) return null
    }
    return outer
  }

  #learn(thread: string, owner: string | null): void {
    // A file may claim anything: the first claim holds, and none that leads back to the thread.
    const isKnown = this.#owners.has(thread)
    if (owner !== null && (isKnown || this.#outermost(owner) === thread)) return
    const [oldest] = this.#owners.keys()
    if (this.#owners.size >= SESSIONS_MAX && oldest !== undefined) this.#owners.delete(oldest)
    this.#owners.set(thread, owner)
  }
}
