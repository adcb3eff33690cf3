import { escapedJson, markUnseen } from '../../core/unseen.ts'
import { ansi, type Paint, paintFor } from './paint.ts'

type Stream = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns' | 'rows'>

/**
 * SPEC OS3. The only place where commands write. Everything given to it counts as data of agents,
 * files or the network unless it is marked as vigil's own: in a line each invisible character
 * becomes its number, in JSON an escape. So a name with an escape sequence moves no cursor,
 * whichever command prints it.
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

  /** SPEC CM24. The visible width of a line; a pipe, or a terminal without a size, cuts nothing. */
  get width(): number {
    return this.#stream.columns || Number.POSITIVE_INFINITY
  }

  get rows(): number | undefined {
    return this.#stream.rows
  }

  get paint(): Paint {
    return paintFor(this.#stream, ownSequence)
  }

  /** Each is printed as one line, whatever it contains. */
  lines(lines: readonly string[], written?: () => void): void {
    this.#stream.write(lines.map((line) => `${shown(line)}\n`).join(''), written)
  }

  line(line: string): void {
    this.lines([line])
  }

  /**
   * Text with line breaks of vigil's own: help, scripts, tables of values that were cleaned before.
   */
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

/** SPEC OS2. JSON without invisible characters that parses to the same value. */
export function jsonOf(value: unknown, indent?: number): string {
  return escapedJson(JSON.stringify(value, null, indent))
}

/** SPEC OS4. A colour sequence of vigil's own, which `lines` lets through. */
export function ownSequence(code: string): string {
  own ??= crypto.randomUUID()
  return `<${own}:${code}>`
}

/** Random for this process and never written, so no data can contain it. */
let own: string | undefined

function shown(line: string): string {
  if (own === undefined) return markUnseen(line)
  const parts = line.split(new RegExp(`<${own}:([\\d;]+)>`))
  return parts.map((part, i) => (i % 2 === 0 ? markUnseen(part) : ansi(part))).join('')
}

function crOf(line: string): string {
  return line.endsWith('\r') ? '\r' : ''
}

/** `vigil replay FILE | head` closes the output early; that is not an error. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1)
  })
}

/** The daemon's log goes here, too; the log makes its lines safe itself (SPEC OS2). */
export function logStream(): NodeJS.WritableStream {
  // The process that started it and read its errors may be gone.
  process.stderr.on('error', () => {})
  return process.stderr
}
