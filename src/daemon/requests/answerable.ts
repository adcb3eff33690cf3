import { Listeners } from '../listeners.ts'
import type { AnswerSwitch } from './answer-switch.ts'
import { HeldRequests } from './held.ts'
import { isLogged } from './logged-request.ts'
import { isServed } from './served-requests.ts'
import type { StoredRequest } from './stored-request.ts'
import type { WaitingHooks } from './waiting-hooks.ts'

/** The open requests, the hooks that wait for them, and which can be answered through vigil. */
export class AnswerableRequests {
  readonly allowed: AnswerSwitch
  readonly hooks: WaitingHooks
  readonly held = new HeldRequests()
  /** Called with a session whenever the result of `asksOf` changes for it. */
  readonly changed = new Listeners<string>()
  readonly #sent = new Map<string, string>()
  /** By id: why a request cannot be answered in its pane, as of the last look; null if it can. */
  readonly #inPane = new Map<string, string | null>()

  constructor(allowed: AnswerSwitch, hooks: WaitingHooks) {
    this.allowed = allowed
    this.hooks = hooks
    allowed.changed.add(() => this.#reconsider())
  }

  /** Ids of the requests of a session that can be answered through vigil. */
  asksOf(session: string): readonly string[] {
    const own = this.held.ofSession(session)
    return own.filter((stored) => this.whyNot(stored) === null).map(({ id }) => id)
  }

  whyNot(stored: StoredRequest): string | null {
    const off = this.allowed.whyOff
    if (off !== null) return off
    if (isServed(stored) || this.hooks.waits(stored.spooled.name)) return null
    const inPane = this.#inPane.get(stored.id)
    if (inPane === null) return null
    return [
      whyNoHook(stored),
      ...(inPane === undefined ? [] : [inPane]),
      'answer it in its terminal',
    ].join('; ')
  }

  /** SPEC AN34. Requests of a session without a waiting hook. */
  unheard(session: string): readonly StoredRequest[] {
    const own = this.held.ofSession(session)
    return own.filter((one) => !isServed(one) && !this.hooks.waits(one.spooled.name))
  }

  looked({ id, asked }: StoredRequest, why: string | null): void {
    if (!this.held.get(id)) return
    this.#inPane.set(id, why)
    this.emit(asked.session)
  }

  /** Repeated at each call: restores a removed folder, and applies the present policy. */
  setFolder(): void {
    if (this.allowed.whyOff === null) this.hooks.open()
    else this.hooks.close()
  }

  /** SPEC AN14. Withdrawn everywhere at once. */
  remove(stored: StoredRequest): void {
    this.held.remove(stored)
    this.#inPane.delete(stored.id)
    this.emit(stored.asked.session)
  }

  /** Only when something changed: most events change nothing here. */
  emit(session: string): void {
    const said = this.asksOf(session).join('\n')
    if ((this.#sent.get(session) ?? '') === said) return
    if (said === '') this.#sent.delete(session)
    else this.#sent.set(session, said)
    this.changed.emit(session)
  }

  /** SPEC AN13. Answering was switched on or off. */
  #reconsider(): void {
    this.setFolder()
    for (const { asked } of this.held.all()) this.emit(asked.session)
  }
}

function whyNoHook(stored: StoredRequest): string {
  if (isLogged(stored)) return 'the session has no hooks'
  if (stored.asked.actor !== null) return 'a subagent’s hook cannot wait for an answer'
  return stored.waits ? 'can no longer be answered here' : 'its hook does not wait for answers'
}
