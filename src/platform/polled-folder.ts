import { readdirSync, type Stats, statSync } from 'node:fs'
import { basename, join } from 'node:path'

/** As in `fs.watch`: `rename` for created or removed, `change` for written. */
export type OnFolderEvent = (type: string, name: string | null) => void

/** The resolution of times on some file systems. */
const TIME_STEP_MS = 2_000
/** Polled files per folder; beyond it only creation and removal are seen. */
const FILES_MAX = 1_000

/** In one of many folders, a file unchanged for this long is no longer followed. */
const KEPT_MS = 86_400_000

/**
 * SPEC PT4. A polled folder: created and removed files by the folder's own time, written ones by
 * their size and time. In one of many folders, only files created while it was polled, and followed
 * ones, are checked.
 */
export class PolledFolder {
  readonly path: string
  readonly isOneOfMany: boolean
  readonly #onEvent: OnFolderEvent
  #names: ReadonlySet<string>
  /** The polled files, each with its last mark. */
  readonly #files = new Map<string, string>()
  #mark: string | undefined
  #isYoung = true

  constructor(path: string, isOneOfMany: boolean, onEvent: OnFolderEvent) {
    this.path = path
    this.isOneOfMany = isOneOfMany
    this.#onEvent = onEvent
    const found = statSync(path)
    // The error of fs.watch for a path that is no folder.
    if (!found.isDirectory()) throw Object.assign(new Error('ENOTDIR'), { code: 'ENOTDIR' })
    this.#mark = markOf(found)
    this.#names = namesIn(path)
    if (!isOneOfMany) for (const name of this.#names) this.follow(name)
  }

  /** Whether to look each time; otherwise in turns. */
  get isWarm(): boolean {
    return !this.isOneOfMany || this.#files.size > 0
  }

  /** Polls this file too, from now on. */
  follow(name: string): void {
    if (this.#files.has(name) || this.#files.size >= FILES_MAX) return
    const found = statOf(join(this.path, name))
    if (found) this.#files.set(name, markOf(found))
  }

  look(): void {
    const found = statOf(this.path)
    const mark = found?.isDirectory() ? markOf(found) : undefined
    const isOther = mark !== this.#mark
    this.#mark = mark
    if (isOther && mark === undefined) this.#onEvent('rename', basename(this.path))
    // Two changes within one tick of the clock show one time: this young, list it again.
    if (isOther || this.#isYoung) this.#list()
    this.#isYoung = found !== undefined && Date.now() - found.mtimeMs < TIME_STEP_MS
    for (const [name, before] of this.#files) this.#lookAt(name, before)
  }

  #list(): void {
    const before = this.#names
    this.#names = namesIn(this.path)
    for (const name of before) {
      if (this.#names.has(name)) continue
      this.#files.delete(name)
      this.#onEvent('rename', name)
    }
    for (const name of this.#names) {
      if (before.has(name)) continue
      this.follow(name)
      this.#onEvent('rename', name)
    }
  }

  #lookAt(name: string, before: string): void {
    const found = statOf(join(this.path, name))
    if (!found) return
    const now = markOf(found)
    if (now === before) {
      if (this.isOneOfMany && Date.now() - found.mtimeMs > KEPT_MS) this.#files.delete(name)
      return
    }
    this.#files.set(name, now)
    this.#onEvent('change', name)
  }
}

/** Includes the mode: tmux shows through it whether a client is attached. */
function markOf({ ino, mtimeMs, size, mode }: Stats): string {
  return `${ino} ${mtimeMs} ${size} ${mode}`
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder))
  } catch {
    return new Set()
  }
}
