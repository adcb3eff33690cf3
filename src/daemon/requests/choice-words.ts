import type { AskedCall } from '../../agents/answers.ts'
import type { RequestChoice, Suggestion } from '../../protocol/request.ts'

/** SPEC AN21. The choice in one short line, for the log of acts. */
export function choiceWords(
  { kind, tool }: Pick<AskedCall, 'kind' | 'tool'>,
  choice: RequestChoice,
  suggestions: readonly Suggestion[],
): string {
  const what = kind === 'plan' ? 'the plan' : kind === 'question' ? 'the question' : tool
  if (choice.choice === 'answer') {
    const said = Object.values(choice.answers ?? {}).map((answer) => [answer].flat().join(', '))
    return `answered ${said.join(' · ')}`
  }
  if (choice.choice === 'deny') {
    const word = choice.word?.trim()
    return `${kind === 'plan' ? 'rejected' : 'denied'} ${what}${word ? `: ${word}` : ''}`
  }
  const suggested = suggestions.find(({ index }) => index === choice.suggestion)
  const more = suggested ? `, and to ${suggested.words}` : ''
  return `${kind === 'plan' ? 'approved' : 'allowed'} ${what}${more}`
}
