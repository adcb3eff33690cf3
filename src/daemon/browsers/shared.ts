import type { Settings } from '../../home/settings.ts'
import type { Address } from '../api/door.ts'
import type { LiveSettings } from '../live-settings.ts'

/** SPEC DR11. Where its user said the page may be reached beside loopback, as the settings go. */
export class Shared {
  readonly close: () => void
  #addresses: readonly Address[]

  constructor(settings: LiveSettings, onChange: () => void) {
    this.#addresses = addressesIn(settings.now)
    this.close = settings.follow((changed) => {
      this.#addresses = addressesIn(changed)
      onChange()
    })
  }

  addresses(): readonly Address[] {
    return this.#addresses
  }
}

/** A browser leaves the usual port out of both. */
function addressesIn({ share }: Settings): readonly Address[] {
  return share.origins.map((origin) => ({ host: new URL(origin).host, origin }))
}
