import stringWidth from 'string-width'
import { plain } from '../../view/session.ts'

/** The columns of a text on a terminal. */
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

/** Cached: most of a picture stays the same, and measuring costs more than drawing. */
const widths = new Map<string, number>()
const WIDTHS_MAX = 5_000

/** An agent's text on one line, cut to its columns; never in the middle of a character. */
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

/** No terminal is wider; the rest is not measured. */
const SAFE_MAX_CHARACTERS = 2_000

const letters = new Intl.Segmenter()

/** The same, padded with blanks. */
export function filled(text: string, columns: number): string {
  const short = fitted(text, columns)
  return short + ' '.repeat(Math.max(0, columns - widthOf(short)))
}

/**
 * A line wrapped into as many lines as needed, with every letter and blank. It breaks after a word
 * if the word ends late enough. Invisible characters are replaced before (`shownLines`).
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
 * Letters with the most columns that they take: terminals draw joined characters as one letter, or
 * one after the other. A group that does not fit into a line is split.
 */
function* piecesOf(text: string, columns: number): Generator<readonly [string, number]> {
  for (const { segment } of letters.segment(text)) {
    const parts = Array.from(segment, (part) => [part, widthOf(part)] as const)
    const apart = parts.reduce((sum, [, width]) => sum + width, 0)
    if (apart > columns) yield* parts
    else yield [segment, Math.max(apart, widthOf(segment))]
  }
}

/** Words over several lines; the last one marks that there was more. Line breaks stay. */
export function wrapped(text: string, columns: number, linesMax: number): readonly string[] {
  if (columns < 1 || linesMax < 1) return []
  const lines: string[] = []
  for (const paragraph of text.slice(0, columns * linesMax * 4 + 100).split('\n')) {
    // One line more than shown tells whether there is more.
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

/** After a word that ends late enough, otherwise after the last letter that fits. */
function breakOf(text: string, columns: number): number {
  const head = fitted(text, columns + 1).slice(0, -1)
  if (head === '') return [...text][0]?.length ?? 1
  const space = text[head.length] === ' ' ? head.length : head.lastIndexOf(' ')
  return space > columns / 3 ? space : head.length
}
