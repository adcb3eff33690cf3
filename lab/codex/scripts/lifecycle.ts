import { pause, say } from '../../model/script.ts'
import type { CodexConversation } from '../conversation.ts'
import { APPROVAL, COUNTING, greets, TOUCH, turn } from './common.ts'

/** Starts and ends of the terminal client. */
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
      await run.stay()
    },
  },
  {
    name: 'start_idle',
    shows: 'A client waits for its first prompt.',
    async user(run) {
      await run.codex()
      await run.stay(5_000)
    },
  },
  {
    name: 'first_start',
    shows: 'The first start of all copies the daemon, and only then can the client be used.',
    packaged: false,
    model: greets,
    async user(run) {
      const codex = await run.codex()
      await turn(codex, 'hello you')
      await run.stay()
    },
  },
  {
    name: 'trust_dialog',
    shows: 'The client asks at its start whether it may trust the folder.',
    trusted: false,
    model: greets,
    async user(run) {
      const codex = await run.codex([], { ready: false })
      await codex.becomes('waiting', { withinMs: 40_000 })
      await run.stay()
      await codex.press('Enter')
      await codex.becomes('idle')
      await run.stay()
      await turn(codex, 'hello you')
      await run.stay()
    },
  },
  {
    name: 'hook_trust',
    shows: 'The client asks at its start whether hooks may run; its user puts it off.',
    hooksTrusted: false,
    model: greets,
    async user(run) {
      const codex = await run.codex([], { ready: false })
      await codex.becomes('waiting', { withinMs: 40_000 })
      await run.stay()
      await codex.press('Escape')
      await codex.becomes('idle')
      await run.stay()
      await turn(codex, 'hello you')
      await run.stay()
    },
  },
  {
    name: 'ctrl_c_idle',
    shows: 'One Ctrl-C in an empty input line ends the client.',
    model: greets,
    async user(run) {
      const codex = await run.codex()
      await turn(codex, 'hello you')
      await run.stay()
      await codex.press('C-c')
      await codex.becomes('closed')
    },
  },
  {
    name: 'kill9_idle',
    shows: 'A client that is killed while it waits for a prompt is closed.',
    model: greets,
    async user(run) {
      const codex = await run.codex()
      await turn(codex, 'hello you')
      await run.stay()
      run.kill(codex, 'SIGKILL')
      await codex.becomes('closed')
      await run.stay(3_000)
    },
  },
  {
    name: 'killpane_idle',
    shows: 'The terminal of a waiting client is closed.',
    model: greets,
    async user(run) {
      const codex = await run.codex()
      await turn(codex, 'hello you')
      await run.stay()
      await codex.pane.close()
      await run.stay(3_000)
    },
  },
  {
    name: 'no_daemon',
    shows: 'A client without the daemon asks, works and is left.',
    args: ['--no-daemon'],
    model: (talk) => talk.on('touch', TOUCH).next(say('All done.')),
    async user(run) {
      const codex = await run.begin('touch it')
      await codex.becomes('waiting')
      await codex.replyTo(APPROVAL, 'Enter')
      await codex.becomes('idle')
      await run.stay()
      await codex.submit('/exit')
      await codex.becomes('closed')
    },
  },
  {
    name: 'no_daemon_kill',
    shows: 'A client without the daemon is killed in a turn, which ends with it.',
    args: ['--no-daemon'],
    model: (talk) => talk.on('count', COUNTING),
    async user(run) {
      const codex = await run.begin('count up')
      await codex.becomes('working')
      await codex.sees(/Number 3\./)
      await run.stay()
      run.kill(codex, 'SIGKILL')
      await codex.becomes('closed')
      await run.stay(2_000)
    },
  },
  {
    name: 'resume',
    shows: 'A session that was left is resumed by its id.',
    model: greets,
    async user(run) {
      const first = await run.codex()
      await turn(first, 'hello you')
      await run.stay()
      await first.submit('/exit')
      await first.becomes('closed')
      await run.stay()
      const again = await run.codex(['resume', run.thread()], { again: first })
      await turn(again, 'hello again')
      await run.stay()
    },
  },
  {
    name: 'two_terminals',
    shows: 'Two sessions in one folder: one asks while the other works and is left.',
    model: (talk) =>
      talk
        .on('touch', TOUCH)
        .next(say('All done.'))
        .on('tell', pause(2_000), say('word '.repeat(40), { overMs: 5_000 })),
    async user(run) {
      const first = await run.codex()
      const second = await run.codex()
      await first.submit('tell me')
      await first.becomes('working')
      await second.submit('touch it')
      await second.becomes('waiting')
      await first.becomes('idle')
      await second.replyTo(APPROVAL, 'Enter')
      await second.becomes('idle')
      await run.stay()
      await first.submit('/exit')
      await first.becomes('closed')
      await run.stay()
    },
  },
]
