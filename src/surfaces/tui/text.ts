import stringWidth from 'string-width'
import { plain } from '../../view/session.ts'

/** Columns a terminal gives to a text. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length
  const known = widths.get(text)
  if (known !== undefined) return known
  const width = stringWidth(text)
  if (widths.size >= WIDTHS_MAX) widths.clear()
  widths.set(text, width)
  return width
}

const ASCII = /^[ -~]*$/

/** Most of a picture is what it was a moment ago, and measuring letters costs more than drawing. */
const widths = new Map<string, number>()
const WIDTHS_MAX = 5_000

/** Text of an agent on one line, cut to its columns; never in the middle of a character. */
export function fitted(text: string, columns: number): string {
  const safe = plain(text, SAFE_MAX_CHARACTERS)
  if (columns < 1) return ''
  if (widthOf(safe) <= columns) return safe
  if (ASCII.test(safe)) return `${safe.slice(0, columns - 1)}…`
  let kept = ''
  let width = 0
  for (const { segment } of letters.segment(safe)) {
    width += widthOf(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** No terminal is wider; what comes behind is not looked at. */
const SAFE_MAX_CHARACTERS = 2_000

const letters = new Intl.Segmenter()

/** The same, filled up with blanks. */
export function filled(text: string, columns: number): string {
  const short = fitted(text, columns)
  return short + ' '.repeat(Math.max(0, columns - widthOf(short)))
}

/**
 * A line over as many lines as it takes, with every letter and blank of it. Behind a word where one
 * ends late enough. What comes here is spelled out already (`shownLines`).
 */
export function wrappedWhole(text: string, columns: number): readonly string[] {
  const lines: string[] = []
  let [line, width] = ['', 0]
  for (const [segment, own] of piecesOf(text, columns)) {
    if (width + own > columns && line !== '') {
      const at = line.lastIndexOf(' ') + 1
      const [kept, rest] = at > columns / 3 ? [line.slice(0, at), line.slice(at)] : [line, '']
      lines.push(kept)
      line = rest
      width = widthOf(rest)
    }
    line += segment
    width += own
  }
  return [...lines, line]
}

/**
 * Letters with the columns that they take at most: terminals draw what belongs together as one
 * letter, or one part after the other. What has no room in a line falls into its parts.
 */
function* piecesOf(text: string, columns: number): Generator<readonly [string, number]> {
  for (const { segment } of letters.segment(text)) {
    const parts = Array.from(segment, (part) => [part, widthOf(part)] as const)
    const apart = parts.reduce((sum, [, width]) => sum + width, 0)
    if (apart > columns) yield* parts
    else yield [segment, Math.max(apart, widthOf(segment))]
  }
}

/** Words over several lines; the last one says if there was more. Lines of the text stay lines. */
export function wrapped(text: string, columns: number, linesMax: number): readonly string[] {
  if (columns < 1 || linesMax < 1) return []
  const lines: string[] = []
  for (const paragraph of text.slice(0, columns * linesMax * 4 + 100).split('\n')) {
    // Room for one line more than is shown tells whether there is one.
    if (lines.length > linesMax) break
    lines.push(
      ...wrappedLine(plain(paragraph.replaceAll('\t', '  '), SAFE_MAX_CHARACTERS), columns),
    )
  }
  if (lines.length <= linesMax) return lines
  return [...lines.slice(0, linesMax - 1), fitted(`${lines[linesMax - 1] ?? ''}…`, columns)]
}

function wrappedLine(line: string, columns: number): string[] {
  const lines: string[] = []
  let rest = line.trimEnd()
  while (widthOf(rest) > columns) {
    const at = breakOf(rest, columns)
    lines.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at).trimStart()
  }
  return [...lines, rest]
}

/** Behind a word where one ends late enough, else behind the last letter that has room. */
function breakOf(text: string, columns: number): number {
  const head = fitted(text, columns + 1).slice(0, -1)
  if (head === '') return [...text][0]?.length ?? 1
  const space = text[head.length] === ' ' ? head.length : head.lastIndexOf(' ')
  return space > columns / 3 ? space : head.length
}
