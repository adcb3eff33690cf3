import { errorCode } from '../home/regular-file.ts'
import { type FolderEvents, watchFolder } from '../platform/folder-events.ts'
import type { Complain } from './arrival.ts'
import { identityOf } from './folder-watch.ts'

export interface FolderSetOptions {
  readonly max: number
  readonly what: string
  readonly onName: (folder: string, name: string, type: string) => void
  readonly complain: Complain
}

interface Watched {
  readonly watcher: FolderEvents
  readonly identity: string | undefined
}

/** Many folders, each with one watch; beyond the limit the one silent for longest goes. */
export class FolderSet {
  readonly #options: FolderSetOptions
  /** The one silent for longest first. */
  readonly #watchers = new Map<string, Watched>()
  #complained = false

  constructor(options: FolderSetOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#watchers.size
  }

  has(folder: string): boolean {
    return this.#watchers.has(folder)
  }

  /**
   * True when a watch began: not for a folder that is watched already, nor for one that cannot be
   * watched, where only the backstop finds changes.
   */
  add(folder: string): boolean {
    const identity = identityOf(folder)
    if (this.has(folder) && this.#watchers.get(folder)?.identity === identity) return false
    this.remove(folder)
    try {
      const watcher = watchFolder(folder, {
        isOneOfMany: true,
        onEvent: (type, name) => this.#onEvent(folder, watched, name, type),
        onLost: () => this.remove(folder),
      })
      const watched: Watched = { watcher, identity }
      this.#watchers.set(folder, watched)
    } catch (error) {
      const why = errorCode(error)
      if (why !== 'ENOENT' && why !== 'ENOTDIR') this.#complain(why)
      return false
    }
    this.#makeRoom()
    return true
  }

  #onEvent(folder: string, watched: Watched, name: string | null, type: string): void {
    if (this.#watchers.get(folder) !== watched) return
    this.touch(folder)
    if (name !== null) this.#options.onName(folder, name, type)
  }

  /** A file to poll where the system gives no events. */
  follow(folder: string, name: string): void {
    this.#watchers.get(folder)?.watcher.follow(name)
  }

  /** It was used: others go first. */
  touch(folder: string): void {
    const watched = this.#watchers.get(folder)
    if (!watched) return
    this.#watchers.delete(folder)
    this.#watchers.set(folder, watched)
  }

  /** The folder and all below it. */
  remove(folder: string): void {
    for (const [path, { watcher }] of this.#watchers)
      if (path === folder || path.startsWith(`${folder}/`)) {
        watcher.close()
        this.#watchers.delete(path)
      }
  }

  close(): void {
    for (const { watcher } of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #makeRoom(): void {
    const { max } = this.#options
    if (this.#watchers.size <= max) return
    // Alone, without the folders below it: those have their own turn, and a scan of all of them for
    // each removal would take longer the more there are.
    const [silent] = this.#watchers
    if (silent) {
      silent[1].watcher.close()
      this.#watchers.delete(silent[0])
    }
    this.overfull()
  }

  overfull(): void {
    const { max } = this.#options
    this.#complain(`more than ${max}; vigil does not watch the least recently used`)
  }

  #complain(why: string): void {
    if (!this.#complained) this.#options.complain(`not all ${this.#options.what} watched`, { why })
    this.#complained = true
  }
}
