import { escapedJson, markUnseen } from '../../core/unseen.ts'
import { ansi, type Paint, paintFor } from './paint.ts'

type Stream = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns' | 'rows'>

/**
 * SPEC OS3. The one place where commands write. Everything given to it is data of agents, files or
 * the network unless shown to be vigil's own: in a line each unseen character stands by its number,
 * in JSON as an escape. So a name with an escape sequence in it moves no cursor, whatever command
 * shows it and whether or not that command thought of it.
 */
export class Output {
  readonly #stream: Stream

  constructor(stream: Stream) {
    this.#stream = stream
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true
  }

  get columns(): number | undefined {
    return this.#stream.columns
  }

  /** SPEC CM24. How much of a line is seen; a pipe, or a terminal without a size, cuts nothing. */
  get width(): number {
    return this.#stream.columns || Number.POSITIVE_INFINITY
  }

  get rows(): number | undefined {
    return this.#stream.rows
  }

  get paint(): Paint {
    return paintFor(this.#stream, ownSequence)
  }

  /** One line of a terminal each, whatever they hold. */
  lines(lines: readonly string[], written?: () => void): void {
    this.#stream.write(lines.map((line) => `${shown(line)}\n`).join(''), written)
  }

  line(line: string): void {
    this.lines([line])
  }

  /** Text that vigil laid out in lines itself: help, scripts, tables of values cleaned before. */
  text(text: string): void {
    const parts = text.split('\n').map((line) => shown(line.replace(/\r$/, '')) + crOf(line))
    this.#stream.write(parts.join('\n'))
  }

  json(value: unknown): void {
    this.#stream.write(`${jsonOf(value, 2)}\n`)
  }

  jsonLine(value: unknown): void {
    this.#stream.write(`${jsonOf(value)}\n`)
  }
}

export const out = new Output(process.stdout)
export const err = new Output(process.stderr)

/** SPEC OS2. JSON that is the same when it is parsed, and holds nothing unseen. */
export function jsonOf(value: unknown, indent?: number): string {
  return escapedJson(JSON.stringify(value, null, indent))
}

/** SPEC OS4. A colour of vigil's own, for `lines` to let through. */
export function ownSequence(code: string): string {
  own ??= crypto.randomUUID()
  return `<${own}:${code}>`
}

/** Drawn for this process when it first paints, and never written: no data can hold it. */
let own: string | undefined

function shown(line: string): string {
  if (own === undefined) return markUnseen(line)
  const parts = line.split(new RegExp(`<${own}:([\\d;]+)>`))
  return parts.map((part, i) => (i % 2 === 0 ? markUnseen(part) : ansi(part))).join('')
}

function crOf(line: string): string {
  return line.endsWith('\r') ? '\r' : ''
}

/** `vigil replay FILE | head` closes our output early: that is the reader's wish, not an error. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1)
  })
}

/** Where the daemon's log goes, too; the log makes its lines safe itself (SPEC OS2). */
export function logStream(): NodeJS.WritableStream {
  // Who started it and listened for why it could not may be gone.
  process.stderr.on('error', () => {})
  return process.stderr
}
