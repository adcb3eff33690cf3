import { say } from '../../model/script.ts'
import type { CodexConversation } from '../conversation.ts'
import { APPROVAL, TOUCH } from './common.ts'

export const permissions: readonly CodexConversation[] = [
  {
    name: 'bash_approve',
    shows: 'A command asks for permission and is allowed; it runs a second before the turn ends.',
    model: (talk) => talk.on('touch', say('Running.'), TOUCH).next(say('All done.')),
    async user(run) {
      const codex = await run.begin('touch it')
      await codex.becomes('waiting')
      await codex.replyTo(APPROVAL, 'Enter')
      await codex.becomes('idle')
      await run.stay()
    },
  },
]
