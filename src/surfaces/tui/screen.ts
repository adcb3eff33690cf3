import type { Redrawn } from './picture.ts'

const ESC = '\u001b['

/** Alternate screen, no cursor, no wrapping, focus reports. */
const ENTER = `${ESC}?1049h${ESC}?25l${ESC}?7l${ESC}?1004h${ESC}2J`
/**
 * Cleared first: in a window that has grown, tmux keeps the cells that its own screen did not have.
 */
const LEAVE = `${ESC}0m${ESC}?1004l${ESC}?7h${ESC}?25h${ESC}2J${ESC}?1049l`

/** A terminal that supports them shows everything between them at once; others ignore them. */
const BEGIN = `${ESC}?2026h`
const END = `${ESC}?2026l`

type Out = Pick<NodeJS.WriteStream, 'write'>

/** The terminal while vigil uses it. Restores it, also when called twice. */
export class TerminalScreen {
  readonly #out: Out
  #ours = false

  constructor(out: Out) {
    this.#out = out
  }

  enter(): void {
    if (!this.#ours) this.#out.write(ENTER)
    this.#ours = true
  }

  leave(): void {
    if (this.#ours) this.#out.write(LEAVE)
    this.#ours = false
  }

  /** `texts`: the strips in the same order, with their colours. One write for each frame. */
  draw(redrawn: Redrawn, texts: readonly string[]): void {
    if (!this.#ours || (redrawn.strips.length === 0 && !redrawn.whole)) return
    this.#out.write(`${BEGIN}${bytesOf(redrawn, texts)}${END}`)
  }
}

/** Clears each strip over its width and writes it at its place; nothing else is touched. */
function bytesOf({ whole, strips }: Redrawn, texts: readonly string[]): string {
  const drawn = strips.map(({ row, column, width }, i) => {
    const place = `${ESC}${row + 1};${column + 1}H`
    return `${place}${whole ? '' : `${ESC}${width}X`}${texts[i] ?? ''}`
  })
  return `${whole ? `${ESC}2J` : ''}${drawn.join('')}`
}
