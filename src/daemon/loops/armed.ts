import { rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateFolder } from '../../home/folders.ts'
import { fileNames } from '../../home/plain-file.ts'

/** Ids come from a client and become file names. */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/

/**
 * SPEC LP71. One empty file per session whose turn’s end vigil decides, so that a hook knows by one
 * look at the disk. Without a loop there is no folder: then even a hook that does not know its
 * session's name knows that no session is armed.
 */
export class Armed {
  readonly #folder: string

  constructor(run: string) {
    this.#folder = join(run, 'armed')
  }

  /** Exactly these sessions. */
  set(sessions: Iterable<string>): void {
    const wanted = new Set([...sessions].filter((id) => SAFE_ID.test(id)))
    const there = fileNames(this.#folder)
    for (const id of there) if (!wanted.has(id)) rmSync(join(this.#folder, id), { force: true })
    if (wanted.size === 0) {
      this.#leave()
      return
    }
    privateFolder(this.#folder)
    for (const id of wanted)
      if (!there.includes(id)) writeFileSync(join(this.#folder, id), '', { mode: 0o600 })
  }

  #leave(): void {
    try {
      rmdirSync(this.#folder)
    } catch {
      // There was none.
    }
  }
}
