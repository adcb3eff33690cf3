import type { DiffLine } from './diff.ts'
import type { RequestBlock } from './request.ts'
import { spelled } from './safe.ts'

/** A line of a request on a terminal: `$` a command, `+` and `-` a change, `!` what to look at. */
export interface ShownLine {
  readonly sign: '' | '$' | '?' | '+' | '-' | '•' | '!'
  readonly text: string
}

/** SPEC SH1. Every block, every line of it; nothing in a line acts on the terminal. */
export function shownLines(blocks: readonly RequestBlock[]): readonly ShownLine[] {
  return blocks.flatMap(linesOf).map(({ sign, text }) => ({ sign, text: spelled(text) }))
}

function linesOf(block: RequestBlock): readonly ShownLine[] {
  switch (block.is) {
    case 'command':
      return split('$', block.text)
    case 'path':
    case 'plan':
      return split('', block.text)
    case 'value':
      return split('', `${block.name}: ${block.text}`)
    case 'change':
      return [
        ...(block.note === null ? [] : split('!', block.note)),
        ...block.lines.map(changeLine),
      ]
    case 'question':
      return questionLines(block)
    case 'field':
      return split(block.marked ? '!' : '', `${block.name}: ${block.text}`)
    case 'notice':
      return split('!', block.text)
  }
}

/** The sign of the first line stands for those below it. */
function split(sign: ShownLine['sign'], text: string): readonly ShownLine[] {
  return text.split('\n').map((line) => ({ sign, text: line }))
}

const SIGNS = { same: '', add: '+', del: '-', gap: '' } as const

function changeLine({ kind, text }: DiffLine): ShownLine {
  return { sign: SIGNS[kind], text: kind === 'gap' ? `⋯ ${text} that stay` : text }
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
