import { react } from '../../core/react.ts'
import type { Verdict } from '../../core/verdict.ts'
import type { Session } from '../../protocol/session.ts'
import type { LoggedChange } from '../../store/store.ts'

export type Step =
  | { readonly do: 'call' | 'end'; readonly session: string }
  | { readonly do: 'rename'; readonly from: string; readonly to: string }

/** Turns changes into calls for the user and their ends, as the core judges each change. */
export class Calls {
  readonly #before = new Map<string, Verdict>()

  /** The state at the start of the daemon. */
  know(session: Session): void {
    this.#before.set(session.id, verdictOf(session))
  }

  /** SPEC FL92. The newest row of a session on another machine, by its key. */
  takeRow(session: Session): readonly Step[] {
    return this.#judged(session.id, verdictOf(session))
  }

  forget(session: string): void {
    this.#before.delete(session)
  }

  take(change: LoggedChange): readonly Step[] {
    const { kind, session } = change
    if (kind === 'past') return []
    if (kind === 'gone') return this.#gone(session, change.became)
    return this.#judged(session, change.verdict)
  }

  #judged(session: string, verdict: Verdict): readonly Step[] {
    const effects = react(this.#before.get(session), verdict)
    if (verdict.state === 'closed') this.#before.delete(session)
    else this.#before.set(session, verdict)
    return effects.flatMap((effect): Step[] => {
      if (effect.do === 'show') return []
      return [{ do: effect.do === 'notify' ? 'call' : 'end', session }]
    })
  }

  /**
   * The verdict of a placeholder passes to its session, unless that session has its own already.
   */
  #gone(from: string, to: string | undefined): readonly Step[] {
    const verdict = this.#before.get(from)
    this.#before.delete(from)
    if (to === undefined || !verdict || this.#before.has(to)) return [{ do: 'end', session: from }]
    this.#before.set(to, verdict)
    return [{ do: 'rename', from, to }]
  }
}

/** The fields that a change is judged by. */
function verdictOf(session: Session): Verdict {
  const { id, state, since, rule, reason, unread, typing, tasks } = session
  return {
    ...{ session: id, state, since, rule, reason, unread, typing, tasks },
    grounds: [],
    details: {},
    ...(session.for && { for: session.for }),
    ...(session.after && { after: session.after }),
    ...(session.cause && { cause: session.cause }),
    ...(session.request && { request: session.request }),
    ...(session.loop && { loop: session.loop }),
    ...(session.detached && { detached: true as const }),
  }
}
