import type { Happening } from '../../core/signal.ts'
import { type Fields, fields, list, textIn } from '../read.ts'
import { saidWords } from '../said.ts'
import { isTaskNotice } from './tasks.ts'

/** SPEC VW24. The last words of the user or the agent in a hook's payload. */
export function saidInHook(event: string, payload: Fields): Happening[] {
  if (event === 'UserPromptSubmit') {
    const prompt = textIn(payload.prompt)
    return prompt === undefined || isTaskNotice(prompt) ? [] : saidWords('user', prompt)
  }
  const isEnd = event === 'Stop' || event === 'StopFailure'
  return isEnd ? saidWords('agent', payload.last_assistant_message) : []
}

/** The same from a transcript's entry and its other signals. A subagent's words do not count. */
export function saidInEntry(entry: Fields, happenings: readonly Happening[]): Happening[] {
  const { content, model } = fields(entry.message)
  const texts = list(content)
    .map(fields)
    .flatMap((block) => (block.type === 'text' ? (textIn(block.text)?.trim() ?? []) : []))
  if (entry.type === 'assistant') {
    const isFiller = model === '<synthetic>' && entry.isApiErrorMessage !== true
    return isFiller ? [] : saidWords('agent', texts.at(-1))
  }
  const isPrompt = happenings.some((one) => one.kind === 'turn-started' && one.by === 'user')
  return isPrompt ? saidWords('user', typeof content === 'string' ? content : texts[0]) : []
}
