import { say, tool } from '../../model/script.ts'
import type { CodexConversation } from '../conversation.ts'
import { APPROVAL, ASKED, shell } from './common.ts'

const spawn = (message: string) =>
  tool('collaboration.spawn_agent', { task_name: 'sub_work', message })
const WAIT = tool('collaboration.wait_agent', { timeout_ms: 30_000 })

/** Subagents, which are threads of their own. */
export const agents: readonly CodexConversation[] = [
  {
    name: 'agent_wait',
    shows: 'A subagent works while its parent waits for it.',
    model: (talk) =>
      talk
        .on('begin with help', spawn('free work'))
        .next(WAIT)
        .next(say('The agent finished.'))
        .on('free work', shell('echo free && sleep 3'))
        .next(say('Sub done.')),
    async user(run) {
      const codex = await run.begin('begin with help')
      await codex.becomes('idle', { withinMs: 40_000 })
      await run.stay()
    },
  },
  {
    name: 'agent_bg',
    shows: 'A subagent works on after the turn of its parent has ended.',
    model: (talk) =>
      talk
        .on('begin with help', spawn('free work'))
        .next(say('Launched it.'))
        .next(say('Saw it finish.'))
        .on('free work', shell('sleep 6', { yield_time_ms: 20_000 }))
        .next(say('Sub done.')),
    async user(run) {
      const codex = await run.begin('begin with help')
      await codex.sees(/Launched it/)
      await run.asked(4, { withinMs: 40_000 })
      await run.stay(3_000)
    },
  },
  {
    name: 'agent_perm',
    shows: 'A subagent asks for permission in the terminal of its parent, and is allowed.',
    model: (talk) =>
      talk
        .on('begin with help', spawn('outer work'))
        .next(WAIT)
        .next(say('The agent finished.'))
        .on('outer work', shell('touch made.txt && sleep 1', ASKED))
        .next(say('Sub done.')),
    async user(run) {
      const codex = await run.begin('begin with help')
      await codex.becomes('waiting')
      await codex.replyTo(APPROVAL, 'Enter')
      await codex.becomes('idle', { withinMs: 40_000 })
      await run.stay()
    },
  },
]
