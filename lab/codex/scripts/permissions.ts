import { say } from '../../model/script.ts'
import type { CodexConversation } from '../conversation.ts'
import { APPROVAL, ASKED, EDIT, shell, TOUCH } from './common.ts'

/** Requests for permission, and how they end. */
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
  {
    name: 'bash_reject',
    shows: 'The No of a permission dialog ends the turn.',
    model: (talk) => talk.on('touch', say('Running.'), TOUCH),
    async user(run) {
      const codex = await run.begin('touch it')
      await codex.becomes('waiting')
      await codex.replyTo(APPROVAL, 'n')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'bash_escape',
    shows: 'Esc in a permission dialog ends the turn as No does.',
    model: (talk) => talk.on('touch', say('Running.'), TOUCH),
    async user(run) {
      const codex = await run.begin('touch it')
      await codex.becomes('waiting')
      await codex.replyTo(APPROVAL, 'Escape')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'perm_long_tool',
    shows: 'A command that was allowed runs for eight seconds, in which no hook reports anything.',
    model: (talk) =>
      talk
        .on('sleep', shell('sleep 8', { ...ASKED, yield_time_ms: 30_000 }))
        .next(say('It slept.')),
    async user(run) {
      const codex = await run.begin('sleep outside')
      await codex.becomes('waiting')
      await codex.replyTo(APPROVAL, 'y')
      await codex.becomes('working')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'perm_twice',
    shows: 'Two commands of one turn ask one after the other, and both are allowed.',
    model: (talk) =>
      talk
        .on('touch', TOUCH)
        .next(shell('touch other.txt && sleep 1', ASKED))
        .next(say('Both done.')),
    async user(run) {
      const codex = await run.begin('touch both')
      await codex.becomes('waiting')
      await codex.replyTo(/touch made\.txt[\s\S]*Yes, proceed/, 'Enter')
      await codex.becomes('waiting')
      await codex.replyTo(/touch other\.txt[\s\S]*Yes, proceed/, 'Enter')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'parallel_perms',
    shows: 'Two commands ask at once; the second dialog follows the first.',
    model: (talk) =>
      talk.on('touch', TOUCH, shell('touch other.txt && sleep 1', ASKED)).next(say('Both done.')),
    async user(run) {
      const codex = await run.begin('touch both')
      await codex.becomes('waiting')
      await codex.replyTo(/\$ touch \w+\.txt[\s\S]*Yes, proceed/, 'Enter')
      await codex.sees(APPROVAL)
      await codex.replyTo(/\$ touch \w+\.txt[\s\S]*Yes, proceed/, 'Enter')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'edit_approve',
    shows: 'An edit in a folder that may only be read asks for permission and is allowed.',
    args: ['-s', 'read-only', '-a', 'on-request'],
    model: (talk) => talk.on('edit', EDIT).next(say('Edited.')),
    async user(run) {
      const codex = await run.begin('edit it')
      await codex.becomes('waiting')
      await codex.replyTo(APPROVAL, 'Enter')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'edit_reject',
    shows: 'An edit is refused, and the turn ends.',
    args: ['-s', 'read-only', '-a', 'on-request'],
    model: (talk) => talk.on('edit', EDIT),
    async user(run) {
      const codex = await run.begin('edit it')
      await codex.becomes('waiting')
      await codex.replyTo(APPROVAL, 'Escape')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'direct_tools',
    shows:
      'A model that calls its tools directly asks for permission; a dialog about it comes first.',
    modelName: 'gpt-5.5',
    model: (talk) => talk.on('touch', say('Running.'), TOUCH).next(say('All done.')),
    async user(run) {
      const codex = await run.codex([], { ready: false })
      await codex.sees(/Use existing model/, { withinMs: 40_000 })
      await run.stay()
      await codex.press('Down')
      await run.stay(500)
      await codex.press('Enter')
      await codex.becomes('idle')
      await run.stay()
      await codex.submit('touch it')
      await codex.becomes('waiting')
      await codex.replyTo(APPROVAL, 'Enter')
      await codex.becomes('idle')
      await run.stay()
    },
  },
]
