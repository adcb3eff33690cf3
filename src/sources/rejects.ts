import { lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { privateFolder } from '../home/folders.ts'

/** Enough to find out what writes them, too little to fill a disk. */
const KEPT_MAX_FILES = 100
const KEPT_MAX_BYTES = 50 * 1024 * 1024

/** Where unusable files go, so that a wrong report can be inspected. Bounded. */
export class Rejects {
  readonly folder: string
  /** By age; the folder is read once, because listing it for each file is quadratic. */
  #kept: { readonly name: string; readonly bytes: number }[] | undefined
  #count = 0

  constructor(folder: string) {
    this.folder = folder
  }

  /** Moves the file there under a harmless name; a file that is too large is removed. */
  add(path: string, name: string, bytes: number): void {
    if (bytes > KEPT_MAX_BYTES) {
      rmSync(path, { force: true })
      return
    }
    privateFolder(this.folder)
    this.#kept ??= this.#list()
    const age = `${Date.now().toString(36)}-${(this.#count++).toString(36).padStart(5, '0')}`
    const kept = `${age}-${harmless(name)}`
    renameSync(path, join(this.folder, kept))
    this.#kept.push({ name: kept, bytes })
    this.#trim(this.#kept)
  }

  #trim(kept: { readonly name: string; readonly bytes: number }[]): void {
    let bytes = kept.reduce((sum, file) => sum + file.bytes, 0)
    while (kept.length > KEPT_MAX_FILES || bytes > KEPT_MAX_BYTES) {
      const oldest = kept.shift()
      if (!oldest) return
      bytes -= oldest.bytes
      rmSync(join(this.folder, oldest.name), { force: true, recursive: true })
    }
  }

  #list() {
    const names = readdirSync(this.folder).toSorted()
    return names.map((name) => {
      const found = lstatSync(join(this.folder, name), { throwIfNoEntry: false })
      return { name, bytes: found?.size ?? 0 }
    })
  }
}

/** A name that is safe in a log and in a shell. */
export function harmless(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 80)
}
