import { AgentSessions } from './agent-sessions.ts'
import type { Facts } from './facts.ts'
import type { HandleIndex } from './handle-index.ts'
import { Lineages } from './lineage.ts'
import { NestedThreads } from './nested-threads.ts'
import type { Signal } from './signal.ts'
import { type Gone, StandIns } from './stand-ins.ts'

/**
 * SPEC L8. All sessions of a machine, separate for each agent: guesses from a pid, a pane or a
 * folder consider only the sessions of the agent that the signal is about.
 */
export class Sessions {
  readonly lineages = new Lineages()
  readonly #byAgent = new Map<string, AgentSessions>()
  readonly #nested = new NestedThreads()

  facts(session: string): Facts | undefined {
    for (const sessions of this.#byAgent.values()) {
      const facts = sessions.facts(session)
      if (facts) return facts
    }
    return undefined
  }

  *ids(): Generator<string> {
    for (const sessions of this.#byAgent.values()) yield* sessions.ids()
  }

  where(agent: string): HandleIndex {
    return this.#of(agent).where
  }

  /**
   * Learns the signal; returns the sessions whose facts it changed, none if it is about no session.
   */
  take(signal: Signal): readonly string[] {
    const { agent, session } = signal.about
    // A session belongs to the agent that named it first.
    const isOthers = session !== undefined && (this.facts(session)?.agent ?? agent) !== agent
    if (isOthers) return []
    const nested = this.#nested.take(signal)
    if (!nested) return this.#of(agent).take(signal)
    if (session !== undefined) this.#of(agent).forget(session)
    return [...new Set(nested.flatMap((meant) => this.take(meant)))]
  }

  /** Names that went out of use since the last call. */
  takeGone(): readonly Gone[] {
    return [...this.#byAgent.values()].flatMap(({ gone }) => gone.splice(0))
  }

  shift(byMs: number): void {
    for (const sessions of this.#byAgent.values()) sessions.shift(byMs)
  }

  #of(agent: string): AgentSessions {
    const known = this.#byAgent.get(agent)
    if (known) return known
    const isFree = (name: string) => (this.facts(name)?.agent ?? agent) === agent
    const nameFor = (name: string) => (isFree(name) ? name : `${name}@${agent}`)
    const sessions = new AgentSessions(this.lineages, new StandIns(nameFor))
    this.#byAgent.set(agent, sessions)
    return sessions
  }
}
