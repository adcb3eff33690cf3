import { closeSync, existsSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'
import pino, { type Logger } from 'pino'
import { escapedJson } from '../core/unseen.ts'

/** A log of this size can be read in one go; with its predecessors it covers some weeks. */
const FILE_MAX_BYTES = 5_000_000
const KEPT = 3

/** SPEC OS2. The daemon's log: one JSON object per line, private, rotated by size. */
export function openLog(path: string, alsoTo?: NodeJS.WritableStream): Logger {
  const file = new RotatedFile(path, FILE_MAX_BYTES)
  const write = (json: string) => {
    const line = escapedJson(json)
    file.write(line)
    alsoTo?.write(line)
  }
  return pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write })
}

/** Appends, and rotates the file when it has grown: `log`, `log.1`, `log.2`, `log.3`. */
export class RotatedFile {
  readonly #path: string
  readonly #maxBytes: number
  #fd: number | undefined
  #bytes = 0

  constructor(path: string, maxBytes: number) {
    this.#path = path
    this.#maxBytes = maxBytes
  }

  /** A log that cannot be written is no reason to stop watching: the line is dropped. */
  write(line: string): void {
    try {
      if (this.#fd !== undefined && this.#bytes > this.#maxBytes) this.#rotate()
      this.#fd ??= this.#open()
      this.#bytes += writeSync(this.#fd, line)
    } catch {
      if (this.#fd !== undefined) closeSync(this.#fd)
      this.#fd = undefined
    }
  }

  #open(): number {
    const fd = openSync(this.#path, 'a', 0o600)
    this.#bytes = fstatSync(fd).size
    return fd
  }

  #rotate(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
    for (let n = KEPT; n > 0; n--) {
      const from = n === 1 ? this.#path : `${this.#path}.${n - 1}`
      if (existsSync(from)) renameSync(from, `${this.#path}.${n}`)
    }
  }
}
