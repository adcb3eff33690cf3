import type { RequestOutcome } from '../../protocol/request.ts'
import { Listeners } from '../listeners.ts'
import type { Able } from './able.ts'
import { HeldRequests } from './held.ts'
import type { StoredRequest } from './stored-request.ts'

/** The open requests, the hooks that wait for them, and which can be answered from here. */
export class AnswerableRequests {
  readonly able: Able
  readonly held = new HeldRequests()
  /** Called with a session whenever `asksOf` gives something else for it. */
  readonly changed = new Listeners<string>()
  /** Hooks that wait, by the request they wait for. */
  readonly #hooks = new Map<string, (told: RequestOutcome) => void>()
  readonly #left = new Set<string>()
  readonly #told = new Map<string, string>()

  constructor(able: Able) {
    this.able = able
    able.changed.add(() => this.#reconsider())
  }

  get waiting(): number {
    return this.#hooks.size
  }

  /** Ids of the requests of a session that can be answered from here. */
  asksOf(session: string): readonly string[] {
    const own = this.held.ofSession(session)
    return own.filter((kept) => this.whyNot(kept) === null).map(({ id }) => id)
  }

  whyNot({ id, waits, asked }: StoredRequest): string | null {
    const off = this.able.whyOff
    if (off !== null) return off
    if (this.#hooks.has(id)) return null
    if (asked.actor !== null) return 'a subagent asks; answer in its terminal'
    if (this.#left.has(id)) return 'its hook no longer waits; answer in its terminal'
    if (waits) return 'its hook has not come yet; try again, or answer in its terminal'
    return 'nobody could answer from here when it asked; answer in its terminal'
  }

  hold(kept: StoredRequest, gone: AbortSignal): Promise<RequestOutcome> {
    const { id } = kept
    // One that asks again has lost its connection, whether or not that was seen yet.
    this.release(id, { act: 'nothing' })
    return new Promise((resolve) => {
      this.#hooks.set(id, resolve)
      this.#left.delete(id)
      gone.addEventListener('abort', () => {
        if (this.#hooks.get(id) === resolve) this.release(id, { act: 'nothing' })
        this.#tell(kept.asked.session)
      })
      this.#tell(kept.asked.session)
    })
  }

  release(id: string, told: RequestOutcome): void {
    const resolve = this.#hooks.get(id)
    if (!resolve) return
    this.#hooks.delete(id)
    this.#left.add(id)
    resolve(told)
  }

  releaseAll(told: RequestOutcome): void {
    for (const id of [...this.#hooks.keys()]) this.release(id, told)
  }

  /** SPEC AN14. Withdrawn from all at once. */
  remove(kept: StoredRequest): void {
    this.held.remove(kept)
    this.release(kept.id, { act: 'nothing' })
    this.#left.delete(kept.id)
    this.#tell(kept.asked.session)
  }

  /** SPEC AN13. Nobody could answer any more, or somebody could again. */
  #reconsider(): void {
    if (!this.able.could) this.releaseAll({ act: 'nothing' })
    for (const { asked } of this.held.all()) this.#tell(asked.session)
  }

  /** Once for each change: most of what happens changes nothing here. */
  #tell(session: string): void {
    const said = this.asksOf(session).join('\n')
    if ((this.#told.get(session) ?? '') === said) return
    if (said === '') this.#told.delete(session)
    else this.#told.set(session, said)
    this.changed.tell(session)
  }
}
