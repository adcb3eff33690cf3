import { Unicode11Addon } from '@xterm/addon-unicode11'
import xterm from '@xterm/headless'
import type { ScreenChange, ScreenSnapshot } from '../../src/protocol/pane.ts'
import { paintOf } from '../../src/surfaces/web/pane/paint.ts'

/** A terminal as on the page, painted from what a viewer receives. */
export class Painted {
  readonly #terminal = new xterm.Terminal({
    cols: 10,
    rows: 5,
    scrollback: 5_000,
    allowProposedApi: true,
  })

  constructor() {
    this.#terminal.loadAddon(new Unicode11Addon() as never)
    this.#terminal.unicode.activeVersion = '11'
  }

  async take(news: ScreenSnapshot | ScreenChange): Promise<void> {
    if (news.kind === 'screen') {
      this.#terminal.reset()
      this.#terminal.resize(news.width, news.height)
    }
    await new Promise<void>((resolve) => this.#terminal.write(paintOf(news), resolve))
  }

  /** Everything that can be scrolled to, and the rows of the screen. */
  lines(): { readonly above: readonly string[]; readonly rows: readonly string[] } {
    const { active } = this.#terminal.buffer
    const all = Array.from(
      { length: active.length },
      (_, at) => active.getLine(at)?.translateToString(true) ?? '',
    )
    return { above: all.slice(0, active.baseY), rows: all.slice(active.baseY) }
  }

  get cursor(): readonly [number, number] {
    const { cursorX, cursorY } = this.#terminal.buffer.active
    return [cursorX, cursorY]
  }

  /** The column in which a letter stands on the screen. */
  columnOf(letter: string, y: number): number {
    const { active } = this.#terminal.buffer
    const line = active.getLine(active.baseY + y)
    return Array.from({ length: this.#terminal.cols }, (_, x) =>
      line?.getCell(x)?.getChars(),
    ).indexOf(letter)
  }

  /** The colours of a letter: its own, and that of its ground. */
  colours(x: number, y: number): readonly [number, number, boolean] {
    const { active } = this.#terminal.buffer
    const cell = active.getLine(active.baseY + y)?.getCell(x)
    return [cell?.getFgColor() ?? -2, cell?.getBgColor() ?? -2, cell?.isBold() !== 0]
  }
}
