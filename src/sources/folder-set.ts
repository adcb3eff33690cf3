import { type FSWatcher, watch } from 'node:fs'
import type { Complain } from './arrival.ts'
import { codeOf } from './regular-file.ts'

export interface FolderSetOptions {
  readonly max: number
  readonly what: string
  readonly onName: (folder: string, name: string, type: string) => void
  readonly complain: Complain
}

/** Many folders under watch, each by one watch; beyond the limit the longest silent one gives way. */
export class FolderSet {
  readonly #options: FolderSetOptions
  /** The longest silent first. */
  readonly #watchers = new Map<string, FSWatcher>()
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

  /** False when it cannot be watched; then only the backstop sees what happens there. */
  add(folder: string): boolean {
    if (this.#watchers.has(folder)) return true
    let watcher: FSWatcher
    try {
      watcher = watch(folder, (type, name) => {
        if (this.#watchers.get(folder) !== watcher) return
        this.#watchers.delete(folder)
        this.#watchers.set(folder, watcher)
        if (name !== null) this.#options.onName(folder, name, type)
      })
    } catch (error) {
      const why = codeOf(error)
      if (why !== 'ENOENT' && why !== 'ENOTDIR') this.#complain(why)
      return false
    }
    watcher.on('error', () => this.remove(folder))
    this.#watchers.set(folder, watcher)
    this.#makeRoom()
    return true
  }

  /** The folder and all below it. */
  remove(folder: string): void {
    for (const [path, watcher] of this.#watchers)
      if (path === folder || path.startsWith(`${folder}/`)) {
        watcher.close()
        this.#watchers.delete(path)
      }
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #makeRoom(): void {
    const { max } = this.#options
    if (this.#watchers.size <= max) return
    const [silent] = this.#watchers.keys()
    if (silent !== undefined) this.remove(silent)
    this.#complain(`more than ${max}: the longest silent ones are not watched`)
  }

  #complain(why: string): void {
    if (!this.#complained) this.#options.complain(`not all ${this.#options.what} watched`, { why })
    this.#complained = true
  }
}
