import { type Fields, fields, list, text } from './read.ts'

/** What an agent said last, and what it wants to do, from its transcript; for people to read. */
export interface Talk {
  /** The last messages, oldest first. */
  readonly said: readonly string[]
  readonly call: Call | null
}

/** A call of a tool as a person would be asked about it. */
interface Call {
  readonly tool: string
  readonly lines: readonly CallLine[]
}

/** `$` a command, `?` a question, `+` and `-` what changes; the rest has no sign. */
export interface CallLine {
  readonly sign: '' | '$' | '?' | '+' | '-' | '•'
  readonly text: string
}

const SAID_MAX = 3
const LINES_MAX = 60

/** `tool`: the one that is asked about; its newest call is looked for. */
export function talkIn(lines: readonly string[], tool: string | undefined): Talk {
  const said: string[] = []
  let call: Call | null = null
  for (const line of lines.toReversed()) {
    if (said.length >= SAID_MAX && (call || tool === undefined)) break
    const entry = entryOf(line)
    if (entry.type !== 'assistant' || entry.isApiErrorMessage === true) continue
    for (const block of list(fields(entry.message).content).toReversed().map(fields)) {
      const words = block.type === 'text' ? text(block.text)?.trim() : undefined
      if (words && said.length < SAID_MAX) said.unshift(words)
      if (block.type === 'tool_use' && block.name === tool)
        call ??= { tool: tool ?? '', lines: callLines(block.input) }
    }
  }
  return { said, call }
}

function entryOf(line: string): Fields {
  try {
    return fields(JSON.parse(line))
  } catch {
    return fields(undefined)
  }
}

/** A call's input as a person would be asked about it. */
export function callLines(input: unknown): readonly CallLine[] {
  return allLines(fields(input)).slice(0, LINES_MAX)
}

/** By what the input holds and not by the tool's name: tools are renamed, and others alike. */
function allLines(input: Fields): readonly CallLine[] {
  const questions = list(input.questions).map(fields)
  if (questions.length > 0) return questions.flatMap(questionLines)
  const plan = text(input.plan)
  if (plan) return linesOf('', plan)
  const command = text(input.command)
  if (command) return linesOf('$', command)
  const path = linesOf('', text(input.file_path) ?? text(input.notebook_path) ?? '')
  const edits = [input, ...list(input.edits).map(fields)].flatMap(editLines)
  if (edits.length > 0) return [...path, ...edits]
  return Object.entries(input).flatMap(([key, value]) =>
    linesOf('', `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
  )
}

function questionLines(question: Fields): readonly CallLine[] {
  const options = list(question.options).map(fields)
  return [
    ...linesOf('?', text(question.question) ?? ''),
    ...options.flatMap((option) => {
      const why = text(option.description)
      return linesOf('•', `${text(option.label) ?? ''}${why ? `: ${why}` : ''}`)
    }),
  ]
}

/** Lines that stay at both ends are left out. */
function editLines(edit: Fields): readonly CallLine[] {
  const before = (text(edit.old_string) ?? '').split('\n')
  const after = (text(edit.new_string) ?? text(edit.content) ?? '').split('\n')
  if (before.join('') === after.join('')) return []
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1
  let tail = 0
  const room = Math.min(before.length, after.length) - head
  while (tail < room && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  const middle = (lines: readonly string[]) => lines.slice(head, lines.length - tail)
  return [
    ...middle(before).flatMap((line) => (line === '' ? [] : linesOf('-', line))),
    ...middle(after).flatMap((line) => (line === '' ? [] : linesOf('+', line))),
  ]
}

function linesOf(sign: CallLine['sign'], words: string): readonly CallLine[] {
  const lines = words.split('\n').slice(0, LINES_MAX)
  return lines.flatMap((line) => (line.trim() === '' ? [] : [{ sign, text: line }]))
}
