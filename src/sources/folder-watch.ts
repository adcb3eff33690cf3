import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { errorCode } from '../home/regular-file.ts'
import { type FolderEvents, watchFolder } from '../platform/folder-events.ts'
import type { Complain } from './arrival.ts'

export interface FolderListener {
  /**
   * A file was created, changed or removed; `rename` is the system's word for the first and last.
   */
  readonly onName: (name: string, type: string) => void
  /**
   * The watch is set, or was refused, or the folder is gone: list all of it. Always called after
   * watching began, because a file created between the two would be missed.
   */
  readonly onList: () => void
  readonly complain: Complain
}

/**
 * One watched folder, also while it does not exist yet, is removed, or is replaced: until it exists
 * its nearest parent is watched. One watch gives the names of all files in it.
 */
export class FolderWatch {
  readonly path: string
  readonly #listener: FolderListener
  #watcher: FolderEvents | undefined
  /** Identifies the watched folder, to check whether the path still leads to it. */
  #identity: string | undefined
  /** The parent that is watched instead, while the folder does not exist. */
  #parent: { readonly path: string; readonly identity: string | undefined } | undefined
  #refused = false
  #closed = false

  constructor(path: string, listener: FolderListener) {
    this.path = path
    this.#listener = listener
  }

  /** Starts, and restarts where the folder was replaced: one cheap check when nothing changed. */
  ensure(): void {
    if (this.#closed) return
    const identity = identityOf(this.path)
    if (identity !== undefined && identity === this.#identity) return
    if (identity === undefined && this.#waitsAtParent()) return
    const stood = this.#identity !== undefined
    this.#drop()
    if (identity === undefined) this.#watchParent()
    else if (this.#open(this.path, (type, name) => this.#onEvent(type, name)))
      this.#identity = identity
    if (stood || identity !== undefined) this.#listener.onList()
  }

  close(): void {
    this.#closed = true
    this.#drop()
  }

  #onEvent(type: string, name: string | null): void {
    // The system reports the folder itself by its own name, which a file in it may have too.
    if (name === basename(this.path) || name === null) this.ensure()
    if (name === null) this.#listener.onList()
    else this.#listener.onName(name, type)
  }

  #watchParent(): void {
    let missing = this.path
    let parent = dirname(missing)
    while (identityOf(parent) === undefined && parent !== dirname(parent)) {
      missing = parent
      parent = dirname(missing)
    }
    const own = new Set([basename(missing), basename(parent), null])
    const identity = identityOf(parent)
    const opened = this.#open(parent, (_, name) => {
      if (!own.has(name)) return
      this.#parent = undefined
      this.ensure()
    })
    if (opened) this.#parent = { path: parent, identity }
    // It may have been created while its parent was not watched yet.
    if (identityOf(missing) === undefined || this.#refused) return
    this.#parent = undefined
    this.ensure()
  }

  /** SPEC LI2. A missing folder costs one check, and no new watch. */
  #waitsAtParent(): boolean {
    const parent = this.#parent
    return parent?.identity !== undefined && identityOf(parent.path) === parent.identity
  }

  #open(path: string, onEvent: (type: string, name: string | null) => void): boolean {
    try {
      const watcher = watchFolder(path, {
        onEvent: (type, name) => {
          if (this.#watcher === watcher) onEvent(type, name)
        },
        onLost: () => this.#drop(),
      })
      this.#watcher = watcher
      this.#refused = false
    } catch (error) {
      // The system's limit of watches. The caller's periodic ensure() then lists instead.
      if (!this.#refused)
        this.#listener.complain('a folder cannot be watched', {
          folder: path,
          why: errorCode(error),
        })
      this.#refused = true
    }
    return this.#watcher !== undefined
  }

  #drop(): void {
    this.#watcher?.close()
    this.#watcher = undefined
    this.#identity = undefined
    this.#parent = undefined
  }
}

/**
 * Undefined for what is no folder. A folder created in place of a removed one may get its inode.
 */
export function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.isDirectory() ? `${found.dev}:${found.ino}:${found.birthtimeMs}` : undefined
  } catch {
    return undefined
  }
}
