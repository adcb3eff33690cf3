import type { ShownPath } from '../core/shown-path.ts'
import type { DiffLine } from './diff.ts'
import type { RequestBlock } from './request.ts'
import { spelled } from './safe.ts'

/**
 * A line of a request on a terminal: `$` for a command, `+` and `-` for a change, `!` for a
 * warning.
 */
export interface ShownLine {
  readonly sign: '' | '$' | '?' | '+' | '-' | '•' | '!'
  /**
   * The line number in the file, for a line of a change; all numbers of a change are padded to one
   * width.
   */
  readonly number?: string
  readonly text: string
}

/** SPEC SH1. Every line of every block; no line contains a terminal escape. */
export function shownLines(blocks: readonly RequestBlock[]): readonly ShownLine[] {
  return blocks.flatMap(linesOf).map((line) => ({ ...line, text: spelled(line.text) }))
}

function linesOf(block: RequestBlock): readonly ShownLine[] {
  switch (block.is) {
    case 'command':
      return split('$', block.text)
    case 'path':
      return split('', pathWords(block.shown))
    case 'plan':
      return split('', block.text)
    case 'value':
      return split('', `${block.name}: ${block.text}`)
    case 'change':
      return [...(block.note === null ? [] : split('!', block.note)), ...changeLines(block.lines)]
    case 'question':
      return questionLines(block)
    case 'field':
      return split(block.marked ? '!' : '', `${block.name}: ${block.text}`)
    case 'notice':
      return split('!', block.text)
  }
}

/** Only the first line has the sign. */
function split(sign: ShownLine['sign'], text: string): readonly ShownLine[] {
  return text.split('\n').map((line) => ({ sign, text: line }))
}

const SIGNS = { same: '', add: '+', del: '-', gap: '' } as const

function changeLines(lines: readonly DiffLine[]): readonly ShownLine[] {
  const numbers = lines.map(({ before, after }) => String(after ?? before ?? ''))
  const width = numbers.reduce((most, { length }) => Math.max(most, length), 0)
  return lines.map(({ kind, text }, at) => ({
    sign: SIGNS[kind],
    ...(width > 0 && { number: (numbers[at] ?? '').padStart(width) }),
    text: kind === 'gap' ? `⋯ ${text} unchanged` : text,
  }))
}

/** SPEC SH14. */
function pathWords({ text, within }: ShownPath): string {
  return within === null ? text : `${text}  in ${within}`
}

/** The number and the text, for a surface without columns. */
export function numberedText({ number, text }: ShownLine): string {
  return number === undefined ? text : `${number} ${text}`
}

function questionLines(block: Extract<RequestBlock, { is: 'question' }>): readonly ShownLine[] {
  const { question, header, several, options } = block
  const head = header === null || header === '' ? '' : `[${header}] `
  return [
    ...split('?', `${head}${question}${several ? ' (several may be chosen)' : ''}`),
    ...options.flatMap(({ label, description }, i) =>
      split('•', `${i + 1}. ${label}${description === null ? '' : `: ${description}`}`),
    ),
  ]
}
