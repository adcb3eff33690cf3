import { closeSync } from 'node:fs'
import { errorCode, type OpenedFile, openRegular, readAt } from '../home/regular-file.ts'
import type { Cursor } from './arrival.ts'

/** Read at once: what a tick of the loop can bear, and the memory per file. */
export const CHUNK_MAX_BYTES = 1024 * 1024
/** The longest line seen had 4 MB: a picture in a tool's result. */
export const LINE_MAX_BYTES = 16 * 1024 * 1024
/** Of a file older than the daemon: the turns that still matter are at its end. */
export const TAIL_BYTES = 1024 * 1024
/** A torn line is buffered up to this size; a longer one is read again when it grows. */
const TORN_KEPT_BYTES = 64 * 1024

export interface LogLine {
  readonly text: string
  /** Where to continue reading once this line is committed. */
  readonly cursor: Cursor
}

export interface TailRead {
  readonly lines: readonly LogLine[]
  readonly bytes: number
  /** There is more to read at once. */
  readonly more: boolean
  readonly gone?: boolean
  readonly problem?: string
}

/** Follows one file as it grows: whole lines only, a chunk at a time. */
export class Tail {
  readonly path: string
  readonly #open: (path: string) => OpenedFile
  readonly #cursor: Cursor | undefined
  /** The file was created while vigil watched: all of it is read. */
  readonly #appeared: boolean
  #inode: string | undefined
  /** After the last whole line. */
  #offset = 0
  /** The beginning of an unfinished line there. */
  #torn: Buffer[] = []
  #tornBytes = 0
  /** Text up to the next line belongs to a skipped line. */
  #skipping = false

  constructor(
    path: string,
    cursor: Cursor | undefined,
    appeared: boolean,
    open: (path: string) => OpenedFile = openRegular,
  ) {
    this.path = path
    this.#open = open
    this.#cursor = cursor
    this.#appeared = appeared
  }

  read(): TailRead {
    const opened = this.#open(this.path)
    if (opened.is === 'absent') return { ...NOTHING, gone: true }
    if (opened.is === 'odd') return { ...NOTHING, problem: `expected a file, found ${opened.what}` }
    if (opened.is === 'unreadable') return { ...NOTHING, problem: opened.why }
    const { fd, stats } = opened
    try {
      const size = Number(stats.size)
      // The system reuses an inode as soon as it is free.
      this.#place(`${stats.ino}@${stats.birthtimeNs}`, size)
      const position = this.#offset + this.#tornBytes
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_MAX_BYTES, size - position))
      return this.#cut(chunk.subarray(0, readAt(fd, chunk, position)), position, size)
    } catch (error) {
      return { ...NOTHING, problem: errorCode(error) }
    } finally {
      closeSync(fd)
    }
  }

  #place(inode: string, size: number): void {
    if (this.#inode === undefined) {
      this.#offset = this.#begin(inode, size)
    } else if (inode !== this.#inode || size < this.#offset + this.#tornBytes) {
      this.#skipping = false
      this.#offset = 0
      this.#dropTorn()
    }
    this.#inode = inode
  }

  #begin(inode: string, size: number): number {
    if (this.#cursor)
      return this.#cursor.inode === inode && this.#cursor.offset <= size ? this.#cursor.offset : 0
    if (this.#appeared || size <= TAIL_BYTES) return 0
    this.#skipping = true
    // One byte earlier: where a line begins exactly there, the previous line's end shows it.
    return size - TAIL_BYTES - 1
  }

  #cut(chunk: Buffer, position: number, size: number): TailRead {
    const lines: LogLine[] = []
    let at = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, at)) {
      const text = this.#skipping ? '' : this.#whole(chunk.subarray(at, end))
      this.#skipping = false
      this.#dropTorn()
      at = end + 1
      this.#offset = position + at
      if (text.trim() !== '') lines.push({ text, cursor: this.#cursorHere() })
    }
    const more = position + chunk.length < size && chunk.length > 0
    const problem = this.#keep(chunk.subarray(at), more)
    return { lines, bytes: chunk.length, more, ...(problem && { problem }) }
  }

  #whole(end: Buffer): string {
    const line = this.#tornBytes > 0 ? Buffer.concat([...this.#torn, end]) : end
    return line.toString('utf8')
  }

  /** Buffers the beginning of a line until it is complete; gives up an endless line. */
  #keep(rest: Buffer, more: boolean): string | undefined {
    if (this.#skipping) {
      this.#offset += rest.length
      return undefined
    }
    if (rest.length > 0) this.#torn.push(Buffer.from(rest))
    this.#tornBytes += rest.length
    if (this.#tornBytes > LINE_MAX_BYTES) {
      this.#skipping = true
      this.#offset += this.#tornBytes
      this.#dropTorn()
      return `a line of more than ${LINE_MAX_BYTES} bytes was skipped`
    }
    if (!more && this.#tornBytes > TORN_KEPT_BYTES) this.#dropTorn()
    return undefined
  }

  #dropTorn(): void {
    this.#torn = []
    this.#tornBytes = 0
  }

  #cursorHere(): Cursor {
    return { path: this.path, inode: this.#inode ?? '', offset: this.#offset }
  }
}

const NEWLINE = 10
const NOTHING = { lines: [], bytes: 0, more: false } as const
