import type { Conversation } from '../conversation.ts'
import { say } from '../model/script.ts'
import { PERMISSION, TOUCH } from './common.ts'

export const permissions: readonly Conversation[] = [
  {
    name: 'bash_approve',
    shows: 'A command asks for permission and is allowed; it runs a second before the turn ends.',
    model: (talk) => talk.on('touch', say('Running.'), TOUCH).next(say('All done.')),
    async user(run) {
      const claude = await run.claude()
      await claude.submit('touch it')
      await claude.becomes('waiting')
      await run.stay()
      await claude.answer(PERMISSION, 'Enter')
      await claude.becomes('idle')
    },
  },
  {
    name: 'bash_reject',
    shows: 'Esc in a permission dialog ends the turn; no hook tells it.',
    model: (talk) => talk.on('touch', say('Running.'), TOUCH),
    async user(run) {
      const claude = await run.claude()
      await claude.submit('touch it')
      await claude.becomes('waiting')
      await run.stay()
      await claude.answer(PERMISSION, 'Escape')
      await claude.becomes('idle')
    },
  },
]
