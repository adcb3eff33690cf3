import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { SIGNAL_BEHIND_MAX_CHARS, SIGNAL_NESTING_MAX, SIGNAL_READ_MAX_CHARS } from '../limits.ts'
import type { Mode } from './run.ts'
import { SIGNALS } from './signal-words.ts'

/**
 * SPEC LP8, LP9. What the agent's message signals about its loop; the last signal counts. idle
 * looked for the characters anywhere, so an agent that explained its signal ended its loop. A
 * missed signal costs one more turn, an imagined one ends the work: in doubt it does not count.
 */
export function signalIn(message: string, mode: Mode): string | undefined {
  const found = [...message.matchAll(LINES[mode])].map(lineAt)
  const last = found.at(-1)
  // Nearly every message ends here: only one with a line that looks like a signal is parsed.
  if (!last) return undefined
  const part = partAround(message, last)
  const { plain, refused } = regionsOf(part.text)
  const counts = found.findLast(({ from, to }) => {
    const line = { from: from - part.shift, to: to - part.shift }
    return plain.some((region) => within(line, region)) && !refused.some((r) => meets(line, r))
  })
  return counts && SIGNALS[mode][counts.text]
}

/** Whole lines of a signal and white space, in any context. */
const LINES: Readonly<Record<Mode, RegExp>> = {
  loop: linesOf(SIGNALS.loop),
  issue: linesOf(SIGNALS.issue),
  grind: linesOf(SIGNALS.grind),
}

function linesOf(signals: Readonly<Record<string, string>>): RegExp {
  return new RegExp(String.raw`^[^\S\r\n]*(${Object.keys(signals).join('|')})[^\S\r\n]*$`, 'gm')
}

interface Region {
  readonly from: number
  readonly to: number
}

function lineAt(match: RegExpExecArray): Region & { readonly text: string } {
  const text = match[1] ?? ''
  const from = match.index + match[0].indexOf(text)
  return { text, from, to: from + text.length }
}

/**
 * SPEC LP10. A message of usual length in whole. Of a longer one the part around the last line that
 * looks like a signal: idle read the last 20 lines, and missed signals before a long list.
 */
function partAround(message: string, last: Region): { readonly text: string; shift: number } {
  // The parser drops a byte order mark without counting it.
  const begin = message.startsWith('\uFEFF') ? 1 : 0
  if (message.length <= SIGNAL_READ_MAX_CHARS)
    return { text: shallow(message.slice(begin)), shift: begin }
  const to = Math.min(message.length, last.to + SIGNAL_BEHIND_MAX_CHARS)
  const rough = Math.max(begin, to - SIGNAL_READ_MAX_CHARS)
  const from = rough === begin ? begin : message.indexOf('\n', rough) + 1
  const open = leftOpen(message.slice(begin, from))
  return { text: shallow(open + message.slice(from, to)), shift: from - open.length }
}

/**
 * What an unparsed part leaves open behind it. Only this can reach across a blank line; where it is
 * read wrongly, as in a list's code, the text behind counts as code rather than as plain.
 */
function leftOpen(head: string): string {
  let fence = ''
  for (const [, mark = '', rest = ''] of head.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (fence === '') fence = mark.startsWith('`') && rest.includes('`') ? '' : mark
    else if (mark.startsWith(fence) && rest.trim() === '') fence = ''
  }
  if (fence !== '') return `${fence}\n`
  return head.lastIndexOf('<!--') > head.lastIndexOf('-->') ? '<!--\n' : ''
}

const MARKER = String.raw`[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))`
const TOO_DEEP = new RegExp(`^((?:${MARKER}){${SIGNAL_NESTING_MAX}})(.+)$`, 'gm')

/** SPEC LP10. Limits the quotes and lists that a line opens; every character keeps its place. */
function shallow(text: string): string {
  return text.replace(TOO_DEEP, (_, kept: string, rest: string) => kept + 'x'.repeat(rest.length))
}

interface Regions {
  readonly plain: Region[]
  readonly refused: Region[]
}

/**
 * Syntax that cannot hold a code span, a comment or a block: irrelevant here, and slowest to parse.
 */
const WITHOUT = {
  disable: {
    null: [
      'attention',
      'autolink',
      'characterReference',
      'definition',
      'hardBreakEscape',
      'labelEnd',
      'labelStartImage',
      'labelStartLink',
    ],
  },
}

function regionsOf(text: string): Regions {
  const regions: Regions = { plain: [], refused: [] }
  sort(fromMarkdown(text, { extensions: [WITHOUT] }), text, regions)
  return regions
}

/**
 * A signal alone on its line is a paragraph, part of one, or raw HTML, depending on its
 * surroundings. It counts nowhere else: a quote's line without its mark still belongs to the quote.
 */
function sort(piece: Nodes, text: string, regions: Regions): void {
  const from = piece.position?.start.offset ?? 0
  const to = piece.position?.end.offset ?? 0
  if (piece.type === 'blockquote') return
  if (piece.type === 'inlineCode') regions.refused.push({ from, to })
  if (PLAIN.includes(piece.type)) regions.plain.push({ from, to })
  if (piece.type === 'html') regions.refused.push(...unseen(text, { from, to }))
  if ('children' in piece) for (const child of piece.children) sort(child, text, regions)
}

const PLAIN: readonly string[] = ['paragraph', 'heading', 'html']

/** Parts that HTML does not show as text: comments to their end, wherever that is, and code. */
function unseen(text: string, { from, to }: Region): readonly Region[] {
  const html = text.slice(from, to)
  if (/^<(?:pre|script|style|textarea|[!?](?!--))/i.test(html)) return [{ from, to }]
  const comments: Region[] = []
  // `<!-->` is a comment too: its end may overlap its beginning.
  let at = html.indexOf('<!--')
  while (at >= 0) {
    const close = text.indexOf('-->', from + at + '<!'.length)
    const end = close < 0 ? text.length : close
    comments.push({ from: from + at, to: end })
    at = html.indexOf('<!--', end - from)
  }
  return comments
}

function within(line: Region, region: Region): boolean {
  return region.from <= line.from && line.to <= region.to
}

function meets(line: Region, region: Region): boolean {
  return line.from < region.to && region.from < line.to
}
