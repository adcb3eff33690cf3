import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivate } from '../../home/private-file.ts'
import { secretHash } from '../api/endpoint.ts'

const NAME = /^open-[0-9a-f]{8}\.html$/

/**
 * SPEC OC7. Files that redirect a browser to an address with a code in it. A browser is started
 * with the file's name, because every user of the machine can read a program's arguments.
 */
export class CodeFiles {
  readonly #folder: string
  readonly #files = new Map<string, { readonly path: string; readonly timer: NodeJS.Timeout }>()

  constructor(folder: string) {
    this.#folder = folder
    for (const name of readdirSync(folder))
      if (NAME.test(name)) rmSync(join(folder, name), { force: true })
  }

  /** The file's path; the file is removed once the code is used or has expired. */
  write(code: string, address: string, lastsMs: number): string {
    const path = join(this.#folder, `open-${randomBytes(4).toString('hex')}.html`)
    writePrivate(path, documentOf(address))
    const timer = setTimeout(() => this.remove(code), lastsMs)
    timer.unref()
    this.#files.set(keyOf(code), { path, timer })
    return path
  }

  remove(code: string): void {
    this.#remove(keyOf(code))
  }

  close(): void {
    for (const key of this.#files.keys()) this.#remove(key)
  }

  #remove(key: string): void {
    const { path, timer } = this.#files.get(key) ?? {}
    clearTimeout(timer)
    if (path !== undefined) rmSync(path, { force: true })
    this.#files.delete(key)
  }
}

function keyOf(code: string): string {
  return secretHash(code).toString('hex')
}

/** Origins and codes contain no characters special to HTML or scripts. */
function documentOf(address: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>vigil</title>
<script>location.replace("${address}")</script>
<p><a href="${address}">Open vigil</a>
`
}
