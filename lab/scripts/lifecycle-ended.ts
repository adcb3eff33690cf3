import type { Conversation } from '../conversation.ts'
import type { Run, Seat } from '../drive/run.ts'
import { say } from '../model/script.ts'
import { COUNTING, DRAWS_STREAMS, greets, SLEEP, TOUCH, turn } from './common.ts'

/** Ways in which a client ends, and what it was doing. */
export const lifecycleEnded: readonly Conversation[] = [
  {
    name: 'kill9',
    since: DRAWS_STREAMS,
    shows: '`kill -9` in streaming text: no hook tells of it, and the client’s file stays behind.',
    model: (talk) => talk.on('count', COUNTING),
    async user(run) {
      const claude = await counting(run)
      claude.pane.signal('SIGKILL')
      await claude.becomes('closed')
    },
  },
  {
    name: 'kill9_idle',
    shows: '`kill -9` of a client that has nothing to do.',
    model: greets,
    async user(run) {
      const claude = await idle(run)
      claude.pane.signal('SIGKILL')
      await claude.becomes('closed')
    },
  },
  {
    name: 'kill9_wait',
    shows: '`kill -9` in a permission dialog: the dialog can no longer be answered.',
    model: (talk) => talk.on('touch', say('Running.'), TOUCH),
    async user(run) {
      const claude = await asking(run)
      claude.pane.signal('SIGKILL')
      await claude.becomes('closed')
    },
  },
  {
    name: 'kill9_tool',
    shows: '`kill -9` while a tool runs: the tool outlives the client.',
    args: ['--allowedTools', 'Bash'],
    model: (talk) => talk.on('sleep', say('Sleeping.'), SLEEP),
    async user(run) {
      const claude = await run.begin('sleep')
      await run.hook('PreToolUse')
      await run.stay()
      claude.pane.signal('SIGKILL')
      await claude.becomes('closed')
    },
  },
  {
    name: 'sigquit',
    since: DRAWS_STREAMS,
    shows: 'SIGQUIT in streaming text ends the client.',
    model: (talk) => talk.on('count', COUNTING),
    async user(run) {
      const claude = await counting(run)
      claude.pane.signal('SIGQUIT')
      await claude.becomes('closed')
    },
  },
  {
    name: 'sigterm',
    since: DRAWS_STREAMS,
    shows: 'SIGTERM in streaming text: the client leaves in good order.',
    model: (talk) => talk.on('count', COUNTING),
    async user(run) {
      const claude = await counting(run)
      claude.pane.signal('SIGTERM')
      await claude.becomes('closed')
    },
  },
  {
    name: 'sighup',
    shows: 'SIGHUP in a permission dialog: the client leaves in good order.',
    model: (talk) => talk.on('touch', say('Running.'), TOUCH),
    async user(run) {
      const claude = await asking(run)
      claude.pane.signal('SIGHUP')
      await claude.becomes('closed')
    },
  },
  {
    name: 'sigint',
    shows: 'SIGINT, other than Ctrl-C at the keyboard, ends the client.',
    model: greets,
    async user(run) {
      const claude = await idle(run)
      claude.pane.signal('SIGINT')
      await claude.becomes('closed')
    },
  },
  {
    name: 'killpane',
    since: DRAWS_STREAMS,
    shows: 'The terminal is closed in streaming text.',
    model: (talk) => talk.on('count', COUNTING),
    async user(run) {
      const claude = await counting(run)
      await claude.pane.close()
      await claude.becomes('closed')
    },
  },
  {
    name: 'terminal_closed',
    shows: 'The program behind all terminals ends while a dialog is open.',
    model: (talk) => talk.on('touch', say('Running.'), TOUCH),
    async user(run) {
      const claude = await asking(run)
      await run.stage.tmux.run('kill-server')
      await claude.becomes('closed')
    },
  },
  {
    name: 'exit_command',
    shows: '/exit ends a client that has nothing to do.',
    model: greets,
    async user(run) {
      const claude = await idle(run)
      await claude.submit('/exit')
      await claude.becomes('closed')
    },
  },
  {
    name: 'ctrl_d',
    shows: 'Ctrl-D pressed twice ends the client; once it only asks for the second.',
    model: greets,
    async user(run) {
      const claude = await idle(run)
      await claude.press('C-d')
      await claude.sees(/Press Ctrl-D again to exit/)
      await claude.press('C-d')
      await claude.becomes('closed')
    },
  },
]

async function idle(run: Run): Promise<Seat> {
  const claude = await run.claude()
  await turn(claude, 'hello')
  await run.stay()
  return claude
}

async function counting(run: Run): Promise<Seat> {
  const claude = await run.begin('count')
  await claude.becomes('working')
  await claude.sees(/Number 5\./)
  return claude
}

async function asking(run: Run): Promise<Seat> {
  const claude = await run.begin('touch it')
  await claude.becomes('waiting')
  await run.stay()
  return claude
}
