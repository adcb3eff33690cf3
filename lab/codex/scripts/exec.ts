import { fail, pause, say } from '../../model/script.ts'
import type { CodexConversation } from '../conversation.ts'
import { COUNTING, shell } from './common.ts'

/** `codex exec`: one turn without a user. Its process is the truth. */
export const exec: readonly CodexConversation[] = [
  {
    name: 'exec',
    shows: 'A turn without a user runs three commands and ends.',
    model: (talk) =>
      talk
        .on('run', shell('echo one'))
        .next(shell('echo two && sleep 2'))
        .next(say('Ran both.', { overMs: 1_000 })),
    async user(run) {
      const codex = await run.codex(['exec', '--json', 'run both'], { ready: false })
      await codex.becomes('closed', { withinMs: 40_000 })
      await run.stay()
    },
  },
  {
    name: 'exec_fail',
    shows: 'A turn without a user ends in an error of the API.',
    model: (talk) => talk.on('fail', pause(2_500), fail(400)),
    async user(run) {
      const codex = await run.codex(['exec', '--json', 'fail now'], { ready: false })
      await codex.becomes('closed', { withinMs: 40_000 })
      await run.stay()
    },
  },
  {
    name: 'exec_killed',
    shows: 'A turn without a user is ended by Ctrl-C.',
    model: (talk) => talk.on('count', COUNTING),
    async user(run) {
      const codex = await run.codex(['exec', '--json', 'count up'], { ready: false })
      await codex.becomes('working')
      await run.asked(1)
      await run.stay(2_500)
      await codex.press('C-c')
      await codex.becomes('closed')
      await run.stay()
    },
  },
]
