import { Listeners } from '../listeners.ts'
import type { AnswerSwitch } from './answer-switch.ts'
import { HeldRequests } from './held.ts'
import type { StoredRequest } from './stored-request.ts'
import type { WaitingHooks } from './waiting-hooks.ts'

/** The open requests, the hooks that wait for them, and which can be answered from here. */
export class AnswerableRequests {
  readonly allowed: AnswerSwitch
  readonly hooks: WaitingHooks
  readonly held = new HeldRequests()
  /** Called with a session whenever `asksOf` gives something else for it. */
  readonly changed = new Listeners<string>()
  readonly #told = new Map<string, string>()

  constructor(allowed: AnswerSwitch, hooks: WaitingHooks) {
    this.allowed = allowed
    this.hooks = hooks
    allowed.changed.add(() => this.#reconsider())
  }

  /** Ids of the requests of a session that can be answered from here. */
  asksOf(session: string): readonly string[] {
    const own = this.held.ofSession(session)
    return own.filter((kept) => this.whyNot(kept) === null).map(({ id }) => id)
  }

  whyNot({ waits, asked, spooled }: StoredRequest): string | null {
    const off = this.allowed.whyOff
    if (off !== null) return off
    if (asked.actor !== null)
      return 'a subagent asks, whose hook cannot wait; answer it in its terminal'
    if (this.hooks.waits(spooled.name)) return null
    if (waits) return 'can no longer be answered here; answer it in its terminal'
    return 'its hook does not wait for answers; answer it in its terminal'
  }

  /** Each time anew: what somebody took away, or the policy forbids by now, is put right. */
  setFolder(): void {
    if (this.allowed.whyOff === null) this.hooks.open()
    else this.hooks.close()
  }

  /** SPEC AN14. Withdrawn from all at once. */
  remove(kept: StoredRequest): void {
    this.held.remove(kept)
    this.tell(kept.asked.session)
  }

  /** Once for each change: most of what happens changes nothing here. */
  tell(session: string): void {
    const said = this.asksOf(session).join('\n')
    if ((this.#told.get(session) ?? '') === said) return
    if (said === '') this.#told.delete(session)
    else this.#told.set(session, said)
    this.changed.tell(session)
  }

  /** SPEC AN13. Answering was switched on or off. */
  #reconsider(): void {
    this.setFolder()
    for (const { asked } of this.held.all()) this.tell(asked.session)
  }
}
