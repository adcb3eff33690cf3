import { LOOP_MAX_DEFAULT, PATIENCE_TURNS, PROMPT_MAX_CHARS } from '../limits.ts'
import { BadValue, parseBudget, parseDuration, parseMax, parsePatience } from './values.ts'

/** A loop as requested with `/vigil:loop`. */
export interface TypedLoop {
  readonly prompt: string
  readonly max: number
  readonly forMs: number | null
  readonly budgetUsd: number | null
  readonly patience: number
}

/** At the beginning of the first line: one option and its value, of one word. */
const OPTION = /^[ \t]*--([a-z][a-z-]*)(?:=|[ \t]+)?([^\s]*)/

const END_OF_OPTIONS = /^[ \t]*--(?=\s|$)/

/**
 * SPEC WD13. The text typed after `/vigil:loop`. Options are limits only, and come before the task
 * on its first line: later text may have been pasted, and is the task.
 */
export function typedLoopIn(text: string): TypedLoop | { readonly refused: string } {
  try {
    const { task, ...limits } = optionsIn(text)
    const prompt = task.trim()
    if (prompt === '') throw new BadValue('expected a task: /vigil:loop TASK')
    if (prompt.length > PROMPT_MAX_CHARS)
      throw new BadValue(`the task has ${prompt.length} characters; at most ${PROMPT_MAX_CHARS}`)
    if (prompt.includes('\0')) throw new BadValue('the task contains a null character')
    return { prompt, ...limits }
  } catch (error) {
    if (error instanceof BadValue) return { refused: error.message }
    throw error
  }
}

function optionsIn(text: string): Omit<TypedLoop, 'prompt'> & { readonly task: string } {
  let task = text
  let limits: Omit<TypedLoop, 'prompt'> = {
    max: LOOP_MAX_DEFAULT,
    forMs: null,
    budgetUsd: null,
    patience: PATIENCE_TURNS,
  }
  while (!END_OF_OPTIONS.test(task)) {
    const [all = '', name = '', value = ''] = OPTION.exec(task) ?? []
    if (all === '') return { task, ...limits }
    limits = { ...limits, ...limitOf(name, value) }
    task = task.slice(all.length)
  }
  return { task: task.replace(END_OF_OPTIONS, ''), ...limits }
}

function limitOf(name: string, value: string): Partial<TypedLoop> {
  switch (name) {
    case 'max':
      return { max: parseMax(value) }
    case 'for':
      return { forMs: parseDuration('--for', value) }
    case 'budget':
      return { budgetUsd: parseBudget(value) }
    case 'patience':
      return { patience: parsePatience(value) }
    default:
      throw new BadValue(
        `--${name}: unknown option. /vigil:loop takes --max, --for, --budget and --patience, ` +
          'before the task. ' +
          'For a loop that runs commands or reads files, run `vigil loop start` in a terminal ' +
          '(see its --help). Write -- before a task that begins with --.',
      )
  }
}
