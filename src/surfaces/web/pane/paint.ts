import type { ScreenChange, ScreenSnapshot } from '../../../protocol/pane.ts'

/**
 * The bytes that make a terminal of the pane's size show the change. Lines that scrolled off are
 * written at the top again and pushed out by the lines below: so they are in the scrollback, in
 * order.
 */
export function paintOf(news: ScreenSnapshot | ScreenChange): string {
  if (news.kind === 'screen') return BEGIN + linesOf([...news.above, ...news.rows], news.cursor)
  if (news.left.length > 0)
    return HOME + linesOf([...news.left, ...news.rows.map(([, row]) => row)], news.cursor)
  const rows = news.rows.map(([place, row]) => `\x1b[${place + 1};1H${WIPE}${row}`)
  return `${HIDE}${rows.join('')}${cursorOf(news.cursor)}`
}

/** A terminal reserves every cell at once: of 10,000 by 10,000 the page would hang. */
const SIDE_MAX = 1_000

/** SPEC FL187. The size of the terminal; another machine may say anything. */
export function paintedSize({ width, height }: Pick<ScreenSnapshot, 'width' | 'height'>) {
  return { columns: side(width), rows: side(height) }
}

function side(said: number): number {
  return Math.min(Math.max(Math.floor(Number(said)) || 1, 1), SIDE_MAX)
}

const HIDE = '\x1b[?25l'
const HOME = `${HIDE}\x1b[H`
/** A row as wide as the terminal must not wrap. */
const BEGIN = `\x1b[?7l${HOME}`
/** Cleared before writing: after a row of full width the cursor is on its last letter. */
const WIPE = '\x1b[0m\x1b[2K'

function linesOf(lines: readonly string[], cursor: ScreenSnapshot['cursor']): string {
  return lines.map((line) => WIPE + line).join('\x1b[0m\r\n') + cursorOf(cursor)
}

function cursorOf({ x, y, shown }: ScreenSnapshot['cursor']): string {
  return `\x1b[0m\x1b[${y + 1};${x + 1}H${shown ? '\x1b[?25h' : ''}`
}
