import { AdminPolicy } from '../../home/policy.ts'
import { Listeners } from '../listeners.ts'

/**
 * SPEC AN12. Whether agents may be answered through vigil: the user and the administrator decide.
 */
export class AnswerSwitch {
  /** Emits when the user changes the setting. */
  readonly changed = new Listeners<void>()
  readonly #policy: AdminPolicy
  #on = false

  constructor(policy: AdminPolicy = new AdminPolicy()) {
    this.#policy = policy
  }

  /** SPEC WD23. Why answering is off; read with each answer. */
  get whyOff(): string | null {
    const forbidden = this.#policy.whyNot('answering')
    if (forbidden !== undefined) return forbidden
    return this.#on ? null : 'answering is off; turn it on with `vigil answers on`'
  }

  use({ on }: { readonly on: boolean }): void {
    this.#on = on
    this.changed.emit()
  }
}
