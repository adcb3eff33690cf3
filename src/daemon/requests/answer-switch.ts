import { AdminPolicy } from '../../home/policy.ts'
import { Listeners } from '../listeners.ts'

/** SPEC AN12. Whether agents may be answered from here: their user and the administrator say so. */
export class AnswerSwitch {
  /** Told when its user has set it. */
  readonly changed = new Listeners<void>()
  readonly #policy: AdminPolicy
  #on = false

  constructor(policy: AdminPolicy = new AdminPolicy()) {
    this.#policy = policy
  }

  /** SPEC WD23. Why nothing is answered from here; asked with each answer. */
  get whyOff(): string | null {
    const forbidden = this.#policy.whyNot('answering')
    if (forbidden !== undefined) return forbidden
    return this.#on ? null : 'answering is off (vigil answers on)'
  }

  use({ on }: { readonly on: boolean }): void {
    this.#on = on
    this.changed.tell()
  }
}
