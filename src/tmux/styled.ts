/**
 * The output of `capture-pane -e` with each row complete in itself: there colours continue from row
 * to row, so a single row would get the colours of the row that was sent before. Only text and
 * colours are left (SPEC PA3), whatever a newer tmux may print.
 */
export function styledRows(lines: readonly string[]): string[] {
  const pen = new Pen()
  return lines.map((line) => styledRow(line, pen))
}

/** Colours, other sequences, strings to the terminal, and single control characters. */
const SEQUENCE = new RegExp(
  [
    '\x1b\\[([\\d;:]*)m',
    '\x1b\\[[ -?]*[@-~]',
    '\x1b[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)?',
    '\x1b.?',
    '\\p{Cc}',
  ].join('|'),
  'gsu',
)

const SHIFT_OUT = '\x0e'
const SHIFT_IN = '\x0f'

/** The same row has the same bytes wherever the output began: colours come before letters. */
function styledRow(line: string, pen: Pen): string {
  let row = ''
  let shown = ''
  let at = 0
  const write = (text: string) => {
    if (text === '') return
    const code = pen.code()
    if (code !== shown) row += (shown === '' ? '' : RESET) + code
    shown = code
    row += pen.draw(text)
  }
  for (const found of line.matchAll(SEQUENCE)) {
    write(line.slice(at, found.index))
    at = found.index + found[0].length
    if (found[1] !== undefined) pen.take(found[1])
    else if (found[0] === SHIFT_OUT || found[0] === SHIFT_IN) pen.lines = found[0] === SHIFT_OUT
  }
  write(line.slice(at))
  return row
}

const RESET = '\x1b[0m'

/** The style of the next letter. */
class Pen {
  /** Letters stand for line-drawing characters. */
  lines = false
  readonly #attributes = new Map<string, string>()

  /** The sequence that sets this style, starting from the default. */
  code(): string {
    const set = [...this.#attributes].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return set.length === 0 ? '' : `\x1b[${set.map(([, code]) => code).join(';')}m`
  }

  draw(text: string): string {
    return this.lines ? text.replaceAll(/[`a-~]/g, (letter) => LINES[letter] ?? letter) : text
  }

  take(parameters: string): void {
    const given = parameters.split(';')
    for (let i = 0; i < given.length; i++) {
      const [first = ''] = (given[i] ?? '').split(':')
      const number = Number(first)
      let whole = given[i] ?? ''
      if (COLOURED.has(number) && whole === first) {
        const more = given[i + 1] === '2' ? 4 : 2
        whole = given.slice(i, i + 1 + more).join(';')
        i += more
      }
      this.#set(number, whole)
    }
  }

  #set(number: number, whole: string): void {
    if (number === 0) this.#attributes.clear()
    const kind = KINDS.find(([, from, to]) => number >= from && number <= to)?.[0]
    if (kind !== undefined) this.#attributes.set(kind, whole)
    for (const ended of ENDS[number] ?? []) this.#attributes.delete(ended)
  }
}

/** Codes that a colour follows: `38;5;208`, `48;2;1;2;3`. */
const COLOURED = new Set([38, 48, 58])

/** Of each kind the last code counts. */
const KINDS: readonly (readonly [kind: string, from: number, to: number])[] = [
  ['bold', 1, 1],
  ['dim', 2, 2],
  ['italic', 3, 3],
  ['underline', 4, 4],
  ['blink', 5, 6],
  ['inverse', 7, 7],
  ['hidden', 8, 8],
  ['struck', 9, 9],
  ['underline', 21, 21],
  ['ink', 30, 38],
  ['paper', 40, 48],
  ['overline', 53, 53],
  ['underline-ink', 58, 58],
  ['ink', 90, 97],
  ['paper', 100, 107],
]

const ENDS: Readonly<Record<number, readonly string[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  25: ['blink'],
  27: ['inverse'],
  28: ['hidden'],
  29: ['struck'],
  39: ['ink'],
  49: ['paper'],
  55: ['overline'],
  59: ['underline-ink'],
}

/** The line-drawing letters of the VT100, from the backtick on. */
const LINES: Readonly<Record<string, string>> = Object.fromEntries(
  [...'◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·'].map((sign, i) => [String.fromCharCode(0x60 + i), sign]),
)
