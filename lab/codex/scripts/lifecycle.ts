import type { CodexConversation } from '../conversation.ts'
import { greets, turn } from './common.ts'

export const lifecycle: readonly CodexConversation[] = [
  {
    name: 'hello',
    shows: 'A prompt is answered, and the client is left by its own command.',
    model: greets,
    async user(run) {
      const codex = await run.codex()
      await turn(codex, 'hello you')
      await run.stay()
      await codex.submit('/exit')
      await codex.becomes('closed')
    },
  },
]
