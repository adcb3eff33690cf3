import type { Folders } from '../../home/folders.ts'
import { watchSettings } from '../../home/settings.ts'
import type { Address } from '../api/door.ts'

/** SPEC DR11. Where its user said the page may be reached beside loopback, as the settings go. */
export class Shared {
  readonly #watch: { close(): void }
  #addresses: readonly Address[] = []

  constructor(
    folders: Pick<Folders, 'config'>,
    onChange: () => void,
    onTrouble: (what: string | undefined) => void,
  ) {
    const watch = watchSettings(
      folders,
      ({ share }) => {
        this.#addresses = share.origins.map(addressOf)
        onChange()
      },
      onTrouble,
    )
    this.#watch = watch
    this.#addresses = watch.settings.share.origins.map(addressOf)
  }

  addresses(): readonly Address[] {
    return this.#addresses
  }

  close(): void {
    this.#watch.close()
  }
}

/** A browser leaves the usual port out of both. */
function addressOf(origin: string): Address {
  return { host: new URL(origin).host, origin }
}
