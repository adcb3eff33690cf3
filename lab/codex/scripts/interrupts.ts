import type { CodexConversation } from '../conversation.ts'
import { COUNTING } from './common.ts'

export const interrupts: readonly CodexConversation[] = [
  {
    name: 'esc_stream',
    shows: 'Esc while the answer streams in ends the turn.',
    model: (talk) => talk.on('count', COUNTING),
    async user(run) {
      const codex = await run.begin('count up')
      await codex.becomes('working')
      await codex.sees(/Number 3\./)
      await run.stay()
      await codex.press('Escape')
      await codex.becomes('idle')
      await run.stay()
    },
  },
]
