import type { AdminPolicy } from '../../home/policy.ts'
import type { Settings } from '../../home/settings.ts'
import { type Address, addressAt } from '../api/endpoint.ts'
import type { LiveSettings } from '../live-settings.ts'

/**
 * SPEC DR11. Addresses besides loopback under which the user shares the page, from the settings.
 */
export class Shared {
  readonly close: () => void
  readonly #policy: Pick<AdminPolicy, 'allows'>
  #addresses: readonly Address[]

  constructor(settings: LiveSettings, policy: Pick<AdminPolicy, 'allows'>, onChange: () => void) {
    this.#policy = policy
    this.#addresses = addressesIn(settings.now)
    this.close = settings.follow((changed) => {
      this.#addresses = addressesIn(changed)
      onChange()
    })
  }

  addresses(): readonly Address[] {
    // SPEC WD23. Read with each request, and so is the policy.
    return this.#policy.allows('sharing') ? this.#addresses : []
  }
}

function addressesIn({ share }: Settings): readonly Address[] {
  return share.origins.map(addressAt)
}
