import { pause, say, tool } from '../../model/script.ts'
import type { CodexConversation } from '../conversation.ts'
import { shell } from './common.ts'

const FREE = ['--dangerously-bypass-approvals-and-sandbox']

/** Work that asks nothing. */
export const tools: readonly CodexConversation[] = [
  {
    name: 'slow',
    shows: 'An answer streams in for five seconds.',
    model: (talk) => talk.on('tell', say('word '.repeat(60), { overMs: 5_000 })),
    async user(run) {
      const codex = await run.begin('tell me')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'think',
    shows: 'The model is silent for five seconds before its first word.',
    model: (talk) => talk.on('think', pause(5_000), say('Thought about it.')),
    async user(run) {
      const codex = await run.begin('think first')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'long_tool',
    shows: 'A command in the sandbox runs for ten seconds.',
    model: (talk) =>
      talk.on('sleep', shell('sleep 10', { yield_time_ms: 30_000 })).next(say('It slept.')),
    async user(run) {
      const codex = await run.begin('sleep now')
      await codex.becomes('idle', { withinMs: 40_000 })
      await run.stay()
    },
  },
  {
    name: 'many_auto',
    shows: 'Three commands run one after the other, and none asks.',
    args: FREE,
    model: (talk) =>
      talk
        .on('run', shell('echo one'))
        .next(shell('echo two && sleep 1'))
        .next(shell('ls'))
        .next(say('Ran three.')),
    async user(run) {
      const codex = await run.begin('run three')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'tool_fail',
    shows: 'A command fails, and the turn goes on.',
    model: (talk) =>
      talk.on('fail', shell('sleep 1; exit 3')).next(say('It failed.', { overMs: 1_000 })),
    async user(run) {
      const codex = await run.begin('fail once')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'bash_bg',
    shows: 'A command runs on in the background after its turn, and ends by itself.',
    args: FREE,
    model: (talk) =>
      talk
        .on('start', shell('sleep 9; echo finished', { yield_time_ms: 300 }))
        .next(say('Left it running.')),
    async user(run) {
      const codex = await run.begin('start it')
      await codex.sees(/Left it running/)
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'bg_poll',
    shows: 'A turn waits for its command in the background, and ends after it.',
    args: FREE,
    model: (talk) =>
      talk
        .on('start', shell('sleep 6; echo finished', { yield_time_ms: 300 }))
        .next(tool('write_stdin', { chars: '', yield_time_ms: 8_000 }))
        .next(say('It finished.')),
    async user(run) {
      const codex = await run.begin('start it')
      await codex.becomes('idle')
      await run.stay()
    },
  },
]
