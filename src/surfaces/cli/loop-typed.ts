import type { Command } from 'commander'
import { BadInput } from './bad-input.ts'

/** `vigil loop typed`: `start`, as it was typed behind `/vigil:loop`; for the plugin alone. */
export function addTyped(loop: Command, start: Command): void {
  loop.command('typed', { hidden: true }).action(async () => {
    const typed = await standardInput()
    if (typed.trim() === '') throw new BadInput('what is the agent to do? /vigil:loop TASK')
    await start.parseAsync(argumentsIn(typed), { from: 'user' })
  })
}

/** As long as a prompt and its options may be; what is longer was not typed. */
const TYPED_MAX_BYTES = 200_000

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > TYPED_MAX_BYTES) throw new BadInput('what was typed is too long for a prompt')
  }
  return Buffer.concat(chunks).toString()
}

/** Without quotes the first take one word, the others all words up to the next option. */
const WORD = ['max', 'for', 'budget', 'patience', 'mode']
const WORDS = ['until', 'from', 'filter', 'item', 'prompt-file']

const names = [...WORD, ...WORDS].join('|')
const OPTION = new RegExp(`^--(${names})(?:=|\\s+)`)
const CANDIDATE = new RegExp(`(?<=^|\\s)--(?:${names})[=\\s]`, 'g')
const QUOTED = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')(?=\s|$)/s
const UP_TO_NEXT = new RegExp(`^.*?(?=\\s+--(?:${names})[=\\s]|\\s*$)`, 's')

/**
 * SPEC LP43. Options that begin or end the line; what is left is the task, word for word. No shell
 * has read it, so an apostrophe is one, and only the value of an option may stand in quotes.
 */
export function argumentsIn(typed: string): string[] {
  const ending = endingOf(typed)
  const options: string[] = []
  let task = typed.slice(0, ending.from).trim()
  for (;;) {
    const option = optionAt(task, WORD_ALONE)
    if (!option) break
    options.push(option.word)
    task = task.slice(option.length).trim()
  }
  return [...options, ...ending.options, ...(task ? [`--prompt=${task}`] : [])]
}

/** From the first option from which on there is nothing else. */
function endingOf(typed: string) {
  for (const { index } of typed.matchAll(CANDIDATE)) {
    const options: string[] = []
    let rest = typed.slice(index).trim()
    for (let option = optionAt(rest); option; option = optionAt(rest)) {
      options.push(option.word)
      rest = rest.slice(option.length).trim()
    }
    if (rest === '') return { from: index, options }
  }
  return { from: typed.length, options: [] }
}

/** Before a task nothing but quotes tells where words end. */
const WORD_ALONE = true

function optionAt(text: string, wordAlone = false) {
  const [begun = '', name = ''] = OPTION.exec(text) ?? []
  if (begun === '') return undefined
  const rest = text.slice(begun.length)
  const [quoted, double, single] = QUOTED.exec(rest) ?? []
  const bare = wordAlone || WORD.includes(name) ? /^\S+/ : UP_TO_NEXT
  const raw = quoted ?? bare.exec(rest)?.[0] ?? ''
  const value = double?.replaceAll(/\\(["\\])/g, '$1') ?? single ?? raw
  return { word: `--${name}=${value}`, length: begun.length + raw.length }
}
