import { readdirSync, type Stats, statSync } from 'node:fs'
import { basename, join } from 'node:path'

/** As `fs.watch` has it: `rename` for what came or went, `change` for what was written to. */
export type OnFolderEvent = (type: string, name: string | null) => void

/** So coarse are the times of some file systems. */
const TIME_STEP_MS = 2_000
/** Files of one folder that are looked at; of more only that they come and go is seen. */
const FILES_MAX = 1_000

/** A file of one of many folders that has not changed for so long is followed no more. */
const KEPT_MS = 86_400_000

/**
 * SPEC PT4. A folder that is looked at: what came and went by the folder's own time, what was
 * written to by its files' size and time. Of a folder that is one of many, only files that came
 * while it was looked at, and those that are followed, are looked at.
 */
export class PolledFolder {
  readonly path: string
  readonly isOneOfMany: boolean
  readonly #onEvent: OnFolderEvent
  #names: ReadonlySet<string>
  /** Those that are looked at, each as it was the last time. */
  readonly #files = new Map<string, string>()
  #mark: string | undefined
  #isYoung = true

  constructor(path: string, isOneOfMany: boolean, onEvent: OnFolderEvent) {
    this.path = path
    this.isOneOfMany = isOneOfMany
    this.#onEvent = onEvent
    const found = statSync(path)
    // As fs.watch has it of a folder that is none.
    if (!found.isDirectory()) throw Object.assign(new Error('ENOTDIR'), { code: 'ENOTDIR' })
    this.#mark = markOf(found)
    this.#names = namesIn(path)
    if (!isOneOfMany) for (const name of this.#names) this.follow(name)
  }

  /** Whether a look is due each time; else in turns with its like. */
  get isWarm(): boolean {
    return !this.isOneOfMany || this.#files.size > 0
  }

  /** Looks at this file too, from now on. */
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
    // Changed twice within its clock's step it shows one time: so young, it is listed again.
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

/** Its mode too: tmux shows by it that somebody is attached. */
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
