/** Lines that are drawn over themselves, so that a terminal shows a picture that lives. */
export class Picture {
  readonly #out: NodeJS.WriteStream
  #height = 0

  constructor(out: NodeJS.WriteStream) {
    this.#out = out
    out.write('\u001b[?25l')
    // The cursor comes back however this ends.
    process.on('exit', () => out.write('\u001b[?25h'))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => process.exit(signal === 'SIGINT' ? 130 : 143))
  }

  get columns(): number {
    return this.#out.columns ?? 80
  }

  /** No more lines than the terminal has: a picture that scrolls cannot be drawn over. */
  draw(lines: readonly string[], foot: string): void {
    const rows = Math.max(8, (this.#out.rows ?? 24) - 1)
    const picture = [...lines.slice(0, rows - 2), '', foot]
    const up = this.#height > 0 ? `\u001b[${this.#height}A` : ''
    const drawn = picture.map((line) => `\r\u001b[K${line}\n`).join('')
    this.#out.write(`${up}${drawn}\u001b[J`)
    this.#height = picture.length
  }
}
