import { type LineStep, lineSteps } from '../edit/line-steps.ts'
import { withoutHidden } from './safe.ts'

/** A line of a change, with its numbers in the file before and after, where they are known. */
export interface DiffLine {
  readonly kind: 'same' | 'add' | 'del' | 'gap'
  readonly text: string
  readonly before: number | null
  readonly after: number | null
  /** The part of the line that differs from its counterpart. */
  readonly from: number
  readonly to: number
}

/** Above this a table of all pairs costs too much: the whole text is shown as removed and added. */
const PAIRS_MAX = 1_000_000
const CONTEXT_LINES = 3

/**
 * SPEC PG14. The changes from one text to the other, line by line; `first` is the number of the
 * first line.
 */
export function diffOf(
  before: string,
  after: string,
  first: number | null = 1,
): readonly DiffLine[] {
  const [a, b] = endsOf(before, after)
  const steps = lineSteps(a, b, PAIRS_MAX)
  return folded(paired(numbered(steps, [a, b], first)))
}

/** If only one of the texts ends without a line end, its last line says so. */
function endsOf(before: string, after: string): readonly [readonly string[], readonly string[]] {
  const lines = [linesOf(before), linesOf(after)] as const
  const isSame = before === '' || after === '' || before.endsWith('\n') === after.endsWith('\n')
  if (isSame) return lines
  const ended = (of: readonly string[], text: string) =>
    text.endsWith('\n') ? of : of.with(-1, `${of.at(-1)}⟨no line end⟩`)
  return [ended(lines[0], before), ended(lines[1], after)]
}

/** An empty text has no lines; a line end at the end begins no further line. */
function linesOf(text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function numbered(
  steps: readonly LineStep[],
  [a, b]: readonly [readonly string[], readonly string[]],
  first: number | null,
): DiffLine[] {
  const number = (at: number) => (first === null ? null : first + at)
  let [i, j] = [0, 0]
  return steps.map((kind) => {
    const line = (kind === 'add' ? b[j] : a[i]) ?? ''
    const before = kind === 'add' ? null : number(i++)
    const after = kind === 'del' ? null : number(j++)
    const text = kind === 'same' ? line : blanksSpelled(line)
    return { kind, text, before, after, from: 0, to: text.length }
  })
}

/** SPEC SH3. Names blanks at the end of a line, and characters that only look like a space. */
function blanksSpelled(line: string): string {
  const ends = beforeLast(line, line.length, (char) => char === '\r')
  const text = beforeLast(line, ends, (char) => char !== '\r' && BLANK.test(char))
  const names = line
    .slice(text, ends)
    .match(/ +|[^ ]/g)
    ?.map(nameOf)
  return `${line.slice(0, text)}${names ? `⟨${names.join(', ')}⟩` : ''}${line.slice(ends)}`.replace(
    /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g,
    (blank) => `⟨${nameOf(blank)}⟩`,
  )
}

const BLANK = /\s/

/**
 * Where the run of characters of this kind begins that ends at `end`. SPEC LI6. A pattern such as
 * `\s+$` tries each run of blanks from each of its positions: 40,000 of them took seconds.
 */
function beforeLast(text: string, end: number, isOfKind: (char: string) => boolean): number {
  let at = end
  while (at > 0 && isOfKind(text[at - 1] ?? '')) at -= 1
  return at
}

function nameOf(blanks: string): string {
  if (blanks === '\t') return 'tab'
  if (blanks[0] === ' ') return blanks.length === 1 ? 'space' : `${blanks.length} spaces`
  return `U+${blanks.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Lines that replace each other: only the part that differs is highlighted. */
function paired(lines: readonly DiffLine[]): readonly DiffLine[] {
  const out = [...lines]
  for (let start = 0; start < out.length; start += 1) {
    if (out[start]?.kind !== 'del' || out[start - 1]?.kind === 'del') continue
    let dels = 0
    while (out[start + dels]?.kind === 'del') dels += 1
    let adds = 0
    while (out[start + dels + adds]?.kind === 'add') adds += 1
    if (dels !== adds) continue
    for (let k = 0; k < dels; k += 1) {
      const [old, fresh] = [out[start + k], out[start + dels + k]]
      if (!old || !fresh) continue
      const { from, oldTo, freshTo } = apart(old.text, fresh.text)
      out[start + k] = { ...old, from, to: oldTo }
      out[start + dels + k] = { ...fresh, from, to: freshTo }
    }
  }
  return out
}

function apart(old: string, fresh: string) {
  const room = Math.min(old.length, fresh.length)
  let from = 0
  while (from < room && old[from] === fresh[from]) from += 1
  let tail = 0
  while (tail < room - from && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1
  // With little in common, highlighting the difference means highlighting the whole line.
  if (from + tail < room / 3) return { from: 0, oldTo: old.length, freshTo: fresh.length }
  return { from, oldTo: old.length - tail, freshTo: fresh.length - tail }
}

/** Shortens long unchanged parts to their first and last lines. */
function folded(lines: readonly DiffLine[]): readonly DiffLine[] {
  const near = lines.map(() => false)
  lines.forEach(({ kind }, at) => {
    if (kind === 'same') return
    const to = Math.min(lines.length - 1, at + CONTEXT_LINES)
    for (let i = Math.max(0, at - CONTEXT_LINES); i <= to; i += 1) near[i] = true
  })
  const out: DiffLine[] = []
  let hidden = 0
  const close = () => {
    if (hidden > 0) out.push({ ...GAP, text: `${hidden} ${hidden === 1 ? 'line' : 'lines'}` })
    hidden = 0
  }
  lines.forEach((line, at) => {
    if (!near[at]) {
      hidden += 1
      return
    }
    close()
    out.push(line)
  })
  close()
  return out
}

const GAP: DiffLine = { kind: 'gap', text: '', before: null, after: null, from: 0, to: 0 }

/**
 * SPEC SH3. Differences that a reader of the lines would miss, in words. `before` is null for a
 * file that is written whole.
 */
export function noteOf(before: string | null, after: string): string | null {
  if (before === null) return after === '' ? 'the file becomes empty' : null
  if (before === after) return 'nothing changes'
  const differs = UNSEEN.find(([, without]) => without(before) === without(after))
  return differs ? differs[0] : null
}

function ends(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n')
  return lines.slice(
    0,
    beforeLast(lines, lines.length, (char) => char === '\n'),
  )
}

const lineEndsTrimmed = (text: string) =>
  ends(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')

const UNSEEN: readonly (readonly [string, (text: string) => string])[] = [
  ['only line ends differ', ends],
  ['only spaces at the ends of lines differ', lineEndsTrimmed],
  ['only invisible characters differ', (text) => withoutHidden(text)],
  ['only spaces differ', (text) => withoutHidden(text).replaceAll(/\s+/g, '')],
]
