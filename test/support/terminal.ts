import { PassThrough, Writable } from 'node:stream'
import xterm, { type Terminal as Xterm } from '@xterm/headless'

/** Colours are numbers of the palette; -1 for the default. */
export interface TerminalCell {
  readonly text: string
  readonly colour: number
  readonly behind: number
  readonly bold: boolean
  readonly dim: boolean
}

/** A terminal without a window: a test can read its screen. */
export class VirtualTerminal {
  readonly #xterm: Xterm
  readonly stdout: NodeJS.WriteStream
  readonly stdin: NodeJS.ReadStream
  readonly #keys = new PassThrough()
  raw = false
  /** Everything that was written, in pieces. */
  readonly writes: string[] = []

  constructor(columns = 80, rows = 24) {
    this.#xterm = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true })
    const out = new Writable({
      decodeStrings: false,
      write: (text: string, _, done) => {
        this.writes.push(text)
        this.#xterm.write(text, done)
      },
    })
    this.stdout = Object.assign(out, {
      columns,
      rows,
      isTTY: true,
    }) as unknown as NodeJS.WriteStream
    const input = Object.assign(this.#keys, {
      isTTY: true,
      setRawMode: (on: boolean) => {
        this.raw = on
      },
      ref: () => {},
      unref: () => {},
    })
    this.stdin = input as unknown as NodeJS.ReadStream
  }

  type(keys: string): void {
    this.#keys.write(keys)
  }

  resize(columns: number, rows: number): void {
    this.#xterm.resize(columns, rows)
    Object.assign(this.stdout, { columns, rows })
    this.stdout.emit('resize')
  }

  /** What is on it before the program begins. */
  print(text: string): Promise<void> {
    return new Promise((resolve) => this.#xterm.write(text, resolve))
  }

  get lines(): string[] {
    const { active } = this.#xterm.buffer
    return Array.from({ length: this.#xterm.rows }, (_, row) =>
      (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
    )
  }

  get text(): string {
    return this.lines.join('\n')
  }

  /** The colour of the letter at a place, as a number of the palette; -1 for the default. */
  colourAt(row: number, column: number): number {
    const cell = this.#xterm.buffer.active.getLine(row)?.getCell(column)
    return cell?.isFgPalette() ? cell.getFgColor() : -1
  }

  /** Every letter as it looks, row by row. */
  get cells(): readonly (readonly TerminalCell[])[] {
    const { active } = this.#xterm.buffer
    return Array.from({ length: this.#xterm.rows }, (_, row) => {
      const line = active.getLine(active.viewportY + row)
      return Array.from({ length: this.#xterm.cols }, (_, column) => {
        const cell = line?.getCell(column)
        return {
          text: cell?.getChars() || ' ',
          colour: cell?.isFgPalette() ? cell.getFgColor() : -1,
          behind: cell?.isBgPalette() ? cell.getBgColor() : -1,
          bold: (cell?.isBold() ?? 0) > 0,
          dim: (cell?.isDim() ?? 0) > 0,
        }
      })
    })
  }

  get isAlternate(): boolean {
    return this.#xterm.buffer.active.type === 'alternate'
  }

  get modes(): object {
    const { wraparoundMode, sendFocusMode } = this.#xterm.modes
    return { wraparoundMode, sendFocusMode, raw: this.raw }
  }
}
