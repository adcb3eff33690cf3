import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pause, say, tool } from '../../model/script.ts'
import type { CodexConversation } from '../conversation.ts'
import { APPROVAL, COUNTING, TOUCH, turn } from './common.ts'

const SERVER = fileURLToPath(new URL('tool-server.mjs', import.meta.url))

/** What comes from elsewhere: prompts and answers by other programs, tools of other servers. */
export const outside: readonly CodexConversation[] = [
  {
    name: 'queue_outside',
    shows: 'Another program gives an idle session a prompt.',
    model: (talk) =>
      talk
        .on('hello', pause(1_000), say('Hello there.'))
        .on('from outside', pause(1_000), say('Heard that.', { overMs: 2_000 })),
    async user(run) {
      const codex = await run.codex()
      await turn(codex, 'hello you')
      await run.stay()
      await run.beside('queue', '--thread', run.thread(), '--message', 'from outside')
      await codex.sees(/Heard that/)
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'api_accept',
    shows: 'Another program allows a command, and the dialog closes.',
    model: (talk) =>
      talk.on('hello', pause(1_000), say('Hello there.')).on('touch', TOUCH).next(say('All done.')),
    async user(run) {
      const codex = await run.codex()
      await turn(codex, 'hello you')
      const answers = await run.answerApprovals('accept')
      await codex.submit('touch it')
      await codex.becomes('waiting')
      await codex.sees(APPROVAL)
      await run.stay()
      answers.send()
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'api_decline',
    shows: 'Another program refuses a command; unlike No, the turn goes on.',
    model: (talk) =>
      talk
        .on('hello', pause(1_000), say('Hello there.'))
        .on('touch', TOUCH)
        .next(say('Then not.', { overMs: 2_000 })),
    async user(run) {
      const codex = await run.codex()
      await turn(codex, 'hello you')
      const answers = await run.answerApprovals('decline')
      await codex.submit('touch it')
      await codex.becomes('waiting')
      await codex.sees(APPROVAL)
      await run.stay()
      answers.send()
      await codex.sees(/Then not/)
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'api_interrupt',
    shows: 'Another program interrupts the turn.',
    model: (talk) => talk.on('count', COUNTING),
    async user(run) {
      const codex = await run.begin('count up')
      await codex.becomes('working')
      await codex.sees(/Number 3\./)
      await run.stay()
      await run.interrupt()
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'mcp_approve',
    shows: 'A tool of another server asks for permission and is allowed.',
    tables: ({ root }) => [
      `[mcp_servers.notes]\ncommand = "${process.execPath}"`,
      `args = ["${SERVER}", "${join(root, 'noted')}"]`,
    ],
    model: (talk) =>
      talk
        .on('note', tool('mcp__notes.keep_note', { text: 'a note' }))
        .next(say('Noted it.', { overMs: 1_500 })),
    async user(run) {
      const codex = await run.begin('note it')
      await codex.becomes('waiting')
      await codex.replyTo(/Allow|Would you like/, 'Enter')
      await codex.becomes('idle')
      await run.stay()
    },
  },
]
