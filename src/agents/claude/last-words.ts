import { endsAsking } from '../../core/attention.ts'
import type { Happening } from '../../core/signal.ts'
import { type Fields, fields, list, shortText, textIn } from '../read.ts'
import { isTaskNotice } from './tasks.ts'

/** SPEC VW24. What a hook tells of what was said last, by the user or by the agent. */
export function saidInHook(event: string, payload: Fields): Happening[] {
  if (event === 'UserPromptSubmit') {
    const prompt = textIn(payload.prompt)
    return prompt === undefined || isTaskNotice(prompt) ? [] : words('user', prompt)
  }
  const isEnd = event === 'Stop' || event === 'StopFailure'
  return isEnd ? words('agent', payload.last_assistant_message) : []
}

/** The same of a transcript's entry, given what else it tells. A subagent's words are its own. */
export function saidInEntry(entry: Fields, happenings: readonly Happening[]): Happening[] {
  const { content, model } = fields(entry.message)
  const texts = list(content)
    .map(fields)
    .flatMap((block) => (block.type === 'text' ? (textIn(block.text)?.trim() ?? []) : []))
  if (entry.type === 'assistant') {
    const isFiller = model === '<synthetic>' && entry.isApiErrorMessage !== true
    return isFiller ? [] : words('agent', texts.at(-1))
  }
  const isPrompt = happenings.some((one) => one.kind === 'turn-started' && one.by === 'user')
  return isPrompt ? words('user', typeof content === 'string' ? content : texts[0]) : []
}

function words(by: 'user' | 'agent', given: unknown): Happening[] {
  const whole = textIn(given)?.trim()
  const text = shortText(whole)
  const asks = by === 'agent' && endsAsking(whole ?? '') && ({ asks: true } as const)
  return text === undefined ? [] : [{ kind: 'words', by, text, ...asks }]
}
