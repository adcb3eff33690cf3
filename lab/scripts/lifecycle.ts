import type { Conversation } from '../conversation.ts'
import { Client } from '../drive/client.ts'
import type { Pane } from '../drive/pane.ts'
import type { Run, Seat } from '../drive/run.ts'
import { say } from '../model/script.ts'
import { COUNTING, greets, PERMISSION, TOUCH, turn } from './common.ts'

const TRUST = /Quick safety check/
const LOGIN = /Select login method:/

export const lifecycle: readonly Conversation[] = [
  {
    name: 'resume',
    shows: 'A session that was left goes on in another process, in the same terminal.',
    model: greets,
    async user(run) {
      const claude = await left(run, 'hello hi')
      const again = await run.claude(['-c'], { again: claude })
      await run.stay()
      await turn(again, 'hello more')
      await run.stay()
    },
  },
  {
    name: 'resume_pick',
    shows: 'The list of --resume has no session yet; the one chosen goes on in this process.',
    model: greets,
    async user(run) {
      const claude = await left(run, 'hello hi')
      const again = await run.claude(['--resume'], { again: claude, ready: false })
      await again.sees(/❯ hello hi/)
      await run.stay()
      await again.press('Enter')
      await again.becomes('idle')
      await run.stay()
      await turn(again, 'hello more')
      await run.stay()
    },
  },
  {
    name: 'fork',
    shows: 'A fork of a session is another session, with a dialog of its own.',
    model: (talk) => greets(talk).on('touch', say('Running.'), TOUCH).next(say('All done.')),
    async user(run) {
      const claude = await left(run, 'hello hi')
      const fork = await run.claude(['-c', '--fork-session'], { again: claude })
      await run.stay()
      await fork.submit('touch it')
      await fork.becomes('waiting')
      await run.stay()
      await fork.answer(PERMISSION, 'Enter')
      await fork.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'second_after_crash',
    shows: 'A session whose process was killed goes on in another one; the dead one left its file.',
    model: (talk) => greets(talk).on('count', COUNTING),
    async user(run) {
      const claude = await run.begin('count')
      await claude.sees(/Number 5\./)
      claude.pane.signal('SIGKILL')
      await claude.pane.ended()
      await run.stay()
      const again = await run.claude(['-c'], { again: claude })
      await run.stay()
      await turn(again, 'hello again')
      await run.stay()
    },
  },
  {
    name: 'session_id',
    shows: 'A session has the id that it was given at its start.',
    args: ['--session-id', '11111111-2222-4333-8444-555555555555'],
    model: greets,
    async user(run) {
      const claude = await run.claude()
      await turn(claude, 'hello')
      await run.stay()
    },
  },
  {
    name: 'trust_dialog',
    shows: 'The client asks whether the folder is trusted before any hook and any file.',
    trusted: false,
    model: greets,
    async user(run) {
      const claude = await run.claude([], { ready: false })
      await claude.sees(TRUST)
      await run.stay(2_000)
      await choose(claude, /❯ .*Yes/)
      await claude.becomes('idle')
      await run.stay()
      await turn(claude, 'hello')
      await run.stay()
    },
  },
  {
    name: 'trust_refused',
    shows: 'A folder that is not trusted: the client leaves, and no hook has told of it.',
    trusted: false,
    async user(run) {
      const claude = await run.claude([], { ready: false })
      await claude.sees(TRUST)
      await run.stay(2_000)
      await choose(claude, /❯ .*No/)
      await claude.pane.ended()
    },
  },
  {
    name: 'settings_dialog',
    shows: 'The settings have a hook of an unknown event: the client asks before the first prompt.',
    settings: () => ({ hooks: { NoSuchEvent: [] } }),
    model: greets,
    async user(run) {
      const claude = await run.claude([], { ready: false })
      await claude.sees(/Settings (Warning|Error)/)
      await run.stay(2_000)
      await choose(claude, /❯ .*Continue/)
      await claude.becomes('idle')
      await run.stay()
      await turn(claude, 'hello')
      await run.stay()
    },
  },
  {
    name: 'login_dialog',
    shows: 'A client that is not logged in offers ways to log in, and its user leaves the list.',
    env: { ANTHROPIC_API_KEY: '' },
    async user(run) {
      const claude = await run.claude()
      await run.stay()
      await claude.submit('/login')
      await claude.sees(LOGIN)
      await run.stay(2_000)
      await claude.answer(LOGIN, 'Escape')
      await claude.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'two_sessions',
    shows: 'Two clients in one folder: one works while the other waits for its user.',
    model: (talk) =>
      greets(talk).on('touch', say('Running.'), TOUCH).next(say('All done.')).on('count', COUNTING),
    async user(run) {
      const [one, other] = await two(run)
      await one.press('Escape')
      await one.becomes('idle')
      await run.stay()
      await other.answer(PERMISSION, 'Enter')
      await other.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'two_sessions_closed',
    shows: 'Of two clients in one folder one is killed; the other waits on.',
    model: (talk) =>
      greets(talk).on('touch', say('Running.'), TOUCH).next(say('All done.')).on('count', COUNTING),
    async user(run) {
      const [one, other] = await two(run)
      one.pane.signal('SIGKILL')
      await one.becomes('closed')
      await run.stay()
      await other.answer(PERMISSION, 'Enter')
      await other.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'suspend',
    shows: 'Ctrl-Z stops a client at work, and the shell below it shows; `fg` brings it back.',
    model: (talk) => talk.on('count', COUNTING),
    async user(run) {
      const shell = await run.stage.open(['bash', '--norc', '--noprofile', '-i'])
      await shell.sees(/[$#]/)
      await command(shell, 'claude --permission-mode default')
      const claude = new Client(shell)
      await claude.ready()
      await run.stay()
      await claude.submit('count')
      await shell.sees(/Number 5\./)
      await shell.press('C-z')
      await shell.sees(/Stopped/)
      await run.stay(1_500)
      await command(shell, 'fg')
      await shell.sees(/Number 20\./)
      await shell.press('Escape')
      await shell.sees(/Interrupted/)
      await run.stay()
    },
  },
  {
    name: 'idle_notify',
    shows: 'A minute after the turn the client notifies its user; it is idle as before.',
    long: 'the client notifies after a minute',
    model: greets,
    async user(run) {
      const claude = await run.claude()
      await turn(claude, 'hello')
      await run.hook('Notification', 1, { withinMs: 90_000 })
      await run.stay()
    },
  },
]

/** Of two options; which one is selected at first differs between clients. */
async function choose(claude: Seat, marked: RegExp): Promise<void> {
  if (!marked.test(await claude.pane.screen())) await claude.press('Down')
  await claude.sees(marked)
  await claude.press('Enter')
}

async function command(shell: Pane, line: string): Promise<void> {
  await shell.type(line)
  await shell.press('Enter')
}

/** One turn, then the user leaves the client. */
async function left(run: Run, prompt: string): Promise<Seat> {
  const claude = await run.claude()
  await turn(claude, prompt)
  await run.stay()
  await claude.submit('/exit')
  await claude.pane.ended()
  await run.stay()
  return claude
}

/** The first counts, the second has a dialog open. */
async function two(run: Run): Promise<[Seat, Seat]> {
  const one = await run.claude()
  const other = await run.claude()
  await one.submit('count')
  await one.sees(/Number 2\./)
  await other.submit('touch it')
  await other.becomes('waiting')
  await run.stay()
  return [one, other]
}
