import { pause, say, uses } from '../../model/script.ts'
import type { CodexConversation } from '../conversation.ts'
import { greets, turn } from './common.ts'

/** Commands of the client, and compaction. */
export const commands: readonly CodexConversation[] = [
  {
    name: 'clear',
    shows: 'After `/clear` the same terminal holds another session.',
    model: greets,
    async user(run) {
      const codex = await run.codex()
      await turn(codex, 'hello you')
      await run.stay()
      await codex.submit('/clear')
      await run.stay(3_000)
      await turn(codex, 'hello again')
      await run.stay()
    },
  },
  {
    name: 'new_thread',
    shows: 'A dialog after `/new` asks where to begin; then the terminal holds another session.',
    model: greets,
    async user(run) {
      const codex = await run.codex()
      await turn(codex, 'hello you')
      await run.stay()
      await codex.submit('/new')
      await codex.replyTo(/Where should the new conversation run/, 'Enter')
      await run.stay(3_000)
      await turn(codex, 'hello again')
      await run.stay()
    },
  },
  {
    name: 'compact',
    shows: 'The client compacts a conversation when its user asks for it.',
    model: (talk) =>
      greets(talk).on(/CONTEXT CHECKPOINT|summar/i, pause(2_500), say('A summary of all.')),
    async user(run) {
      const codex = await run.codex()
      await turn(codex, 'hello you')
      await run.stay()
      await codex.submit('/compact')
      await codex.becomes('working')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'auto_compact',
    shows: 'A conversation that fills the context is compacted before the next turn.',
    config: ['model_auto_compact_token_limit = 20000'],
    model: (talk) =>
      talk
        .on('fill', uses(30_000), pause(1_000), say('Filled up.'))
        .on(/CONTEXT CHECKPOINT|summar/i, pause(2_500), say('A summary of all.'))
        .on('hello', pause(1_000), say('Hello there.')),
    async user(run) {
      const codex = await run.codex()
      await turn(codex, 'fill it')
      await run.stay()
      await turn(codex, 'hello again')
      await run.stay()
    },
  },
  {
    name: 'slash_status',
    shows: 'What `/status` shows changes no state.',
    model: greets,
    async user(run) {
      const codex = await run.codex()
      await turn(codex, 'hello you')
      await run.stay()
      await codex.submit('/status')
      await codex.sees(/Session:/)
      await run.stay(2_500)
    },
  },
  {
    name: 'slash_model',
    shows: 'The menu of `/model` waits for its user, and is left by Esc.',
    async user(run) {
      const codex = await run.codex()
      await codex.submit('/model')
      await codex.sees(/Select Model/i)
      await run.stay(2_000)
      await codex.press('Escape')
      await run.stay(2_000)
    },
  },
  {
    name: 'typed',
    shows: 'Half a prompt in the input line is no turn.',
    async user(run) {
      const codex = await run.codex()
      await codex.type('half a prompt')
      await run.stay(3_000)
      await codex.press('C-c')
      await run.stay(1_500)
    },
  },
]
