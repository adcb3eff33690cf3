import type { Conversation } from '../conversation.ts'
import type { Seat } from '../drive/run.ts'
import { say, tool } from '../model/script.ts'

/** A list of options, and the page on which several answers are sent. */
const QUESTION = /Enter to select/
const REVIEW = /Ready to submit your answers\?/

const COLOUR = question('Colour', ['Red', 'Blue'])
const ASK = tool('AskUserQuestion', { questions: [COLOUR] })

/** Comes slowly, so that the work after the answer counts. */
const THANKS = say('Thank you for the answer.', { overMs: 1000 })

export const questions: readonly Conversation[] = [
  {
    name: 'ask_answer',
    since: '2.0.50',
    shows: 'A question is answered with its first option, and the turn goes on.',
    model: (talk) => talk.on('ask', say('Asking.'), ASK).next(THANKS),
    async user(run) {
      const claude = await run.begin('ask me')
      await claude.becomes('waiting')
      await run.stay()
      await answer(claude)
      await claude.becomes('idle')
    },
  },
  {
    name: 'ask_escape',
    shows: 'Esc in a question ends the turn; no hook tells it.',
    model: (talk) => talk.on('ask', say('Asking.'), ASK),
    async user(run) {
      const claude = await run.begin('ask me')
      await claude.replyTo(QUESTION, 'Escape')
      await claude.becomes('idle')
    },
  },
  {
    name: 'ask_left',
    shows: 'A question without an answer waits, past the client’s own notification.',
    model: (talk) => talk.on('ask', say('Asking.'), ASK),
    async user(run) {
      const claude = await run.begin('ask me')
      await claude.becomes('waiting')
      await run.hook('Notification')
      await run.stay()
    },
  },
  {
    name: 'askmulti',
    shows: 'Two questions in one dialog wait as one, until the answers to both are sent.',
    // Older clients tick and send with other keys.
    since: '2.1.100',
    model: (talk) => {
      const both = [COLOUR, { ...question('Size', ['Small', 'Large']), multiSelect: true }]
      return talk.on('ask', tool('AskUserQuestion', { questions: both })).next(THANKS)
    },
    async user(run) {
      const claude = await run.begin('ask me twice')
      await claude.replyTo(/Which colour\?/, 'Enter')
      await run.stay()
      await claude.answer(/1\. \[ \] Small/, 'Enter')
      await claude.answer(/1\. \[.\] Small/, 'Tab')
      await run.stay()
      await claude.answer(REVIEW, 'Enter')
      await claude.becomes('idle')
    },
  },
  {
    name: 'ask_own',
    shows: 'A question is answered with words of the user’s own.',
    model: (talk) => talk.on('ask', say('Asking.'), ASK).next(THANKS),
    async user(run) {
      const claude = await run.begin('ask me')
      await claude.replyTo(QUESTION, '3')
      await claude.sees(/❯ 3\./)
      await claude.type('green')
      await claude.sees(/❯ 3\. green/)
      await answer(claude)
      await claude.becomes('idle')
    },
  },
  {
    name: 'ask_words',
    shows: 'A question in the very words of a permission dialog is still a question.',
    model: (talk) => {
      const again = { ...question('Answer', ['Yes', 'No']), question: 'Do you want to proceed?' }
      return talk.on('ask', tool('AskUserQuestion', { questions: [again] })).next(THANKS)
    },
    async user(run) {
      const claude = await run.begin('ask me')
      await claude.becomes('waiting')
      await run.stay()
      await answer(claude)
      await claude.becomes('idle')
    },
  },
  {
    name: 'ask_chat',
    shows: 'A question is declined to talk about it: the tool is refused, and the turn goes on.',
    since: '2.1.100',
    model: (talk) => talk.on('ask', say('Asking.'), ASK).next(THANKS),
    async user(run) {
      const claude = await run.begin('ask me')
      await claude.becomes('waiting')
      await run.stay()
      for (const chosen of [/❯ 2\./, /❯ 3\./, /❯ 4\. Chat about this/]) {
        await claude.press('Down')
        await claude.sees(chosen)
      }
      await claude.answer(QUESTION, 'Enter')
      await claude.becomes('idle')
    },
  },
]

/** Accepts the choice; 2.0.50 also asks to send the answer to a single question. */
async function answer(claude: Seat): Promise<void> {
  await claude.answer(QUESTION, 'Enter')
  if (REVIEW.test(await claude.pane.screen())) await claude.answer(REVIEW, 'Enter')
}

function question(header: string, labels: readonly string[]) {
  const options = labels.map((label) => ({ label, description: `the ${label}` }))
  return { question: `Which ${header.toLowerCase()}?`, header, options, multiSelect: false }
}
