import { say, tool } from '../../model/script.ts'
import type { CodexConversation } from '../conversation.ts'
import { PLAN, QUESTION } from './common.ts'

const COLOUR = {
  id: 'colour',
  header: 'Colour',
  question: 'Which colour?',
  options: [
    { label: 'Red (Recommended)', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ],
}
const ASK = tool('request_user_input', { questions: [COLOUR] })
const PROPOSED = '<proposed_plan>\n# Plan\n1. Do it\n2. Check it\n</proposed_plan>'

/** Questions of the model, and its plans: both in plan mode, which Shift-Tab begins. */
export const questions: readonly CodexConversation[] = [
  {
    name: 'ask_answer',
    shows: 'A question is answered, and the turn goes on.',
    model: (talk) => talk.on('ask', ASK).next(say('Thanks for that.', { overMs: 1_500 })),
    async user(run) {
      const codex = await run.codex()
      await codex.press('BTab')
      await codex.sees(/Plan mode/i)
      await codex.submit('ask me')
      await codex.becomes('waiting')
      await codex.replyTo(QUESTION, 'Enter')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'ask_escape',
    shows: 'Esc in a question ends the turn.',
    model: (talk) => talk.on('ask', ASK),
    async user(run) {
      const codex = await run.codex()
      await codex.press('BTab')
      await codex.sees(/Plan mode/i)
      await codex.submit('ask me')
      await codex.becomes('waiting')
      await codex.replyTo(QUESTION, 'Escape')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'ask_async',
    shows: 'A question that may be answered later stays in the text; the turn goes on and ends.',
    model: (talk) =>
      talk
        .on(
          'ask',
          tool('request_user_input_async', {
            questions: [{ title: 'Which colour?', options: ['Red', 'Blue'] }],
          }),
        )
        .next(say('I asked, and go on.', { overMs: 1_500 })),
    async user(run) {
      const codex = await run.begin('ask me')
      await codex.becomes('working')
      await codex.becomes('idle')
      await run.stay(3_000)
    },
  },
  {
    name: 'plan_approve',
    shows: 'A plan is approved, and the client works on it.',
    model: (talk) =>
      talk
        .on('plan', say(PROPOSED, { overMs: 1_000 }))
        .on('Implement the plan', say('All of it is done.', { overMs: 2_000 })),
    async user(run) {
      const codex = await run.codex()
      await codex.press('BTab')
      await codex.sees(/Plan mode/i)
      await codex.submit('plan it')
      await codex.becomes('waiting')
      await codex.replyTo(PLAN, 'Enter')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'plan_escape',
    shows: 'Esc in the question about a plan leaves the plan, and the client waits for a prompt.',
    model: (talk) => talk.on('plan', say(PROPOSED, { overMs: 1_000 })),
    async user(run) {
      const codex = await run.codex()
      await codex.press('BTab')
      await codex.sees(/Plan mode/i)
      await codex.submit('plan it')
      await codex.becomes('waiting')
      await codex.replyTo(PLAN, 'Escape')
      await codex.becomes('idle')
      await run.stay()
    },
  },
]
