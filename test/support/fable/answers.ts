import type { Answers } from '../../../src/agents/answers.ts'
import { boundedInput } from '../../../src/agents/asked-bounds.ts'
import { fields, shortText } from '../../../src/agents/read.ts'
import { eventOf } from './hook.ts'

/** `{"leave":"given"}` and no other word. */
export const answers: Answers = {
  askedIn: (report) => {
    const { tale, tool, what } = fields(report.payload)
    const session = shortText(tale)
    if (report.source !== 'hook' || eventOf(report) !== 'ask' || !session) return undefined
    const name = shortText(tool) ?? 'a tool'
    const nothing = { actor: null, questions: [], plan: null, offers: [] }
    return { session, kind: 'permission', tool: name, ...nothing, ...boundedInput({ what }) }
  },
  waits: (report) => fields(report.env).asks === 1,
  suggestionsOf: () => [],
  outputOf: (_, { choice }) =>
    choice === 'answer'
      ? { field: 'choice', misfit: 'a fable asks for leave, and no question' }
      : { output: { leave: choice === 'allow' ? 'given' : 'refused' } },
  layoutOf: () => ({ parts: [{ role: 'command', field: 'what' }], explains: [] }),
}
