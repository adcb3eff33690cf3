import type { Conversation } from '../conversation.ts'
import { hold, pause, say, tool } from '../model/script.ts'
import { ALLOW_BASH, COUNTING, DRAWS_STREAMS, lines, PERMISSION, SLEEP, TOUCH } from './common.ts'

/** Only tools that change nothing run in parallel. */
const READ_LONG = tool('Bash', { command: 'cat hello.txt && sleep 30' })
const COMPACTION = /detailed summary/

export const interrupts: readonly Conversation[] = [
  {
    name: 'stream_stall',
    shows: 'Text comes for seconds without a spinner, stalls with one, and comes to its end.',
    model: (talk) =>
      talk.on('count', say(lines(1, 12), { overMs: 3_000 }), pause(2_000), say(lines(13, 18))),
    async user(run) {
      const claude = await run.begin('count')
      await claude.sees(/Number 18\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'esc_stream',
    since: DRAWS_STREAMS,
    shows: 'Esc in streaming text ends the turn; no hook tells it.',
    model: (talk) => talk.on('count', COUNTING),
    async user(run) {
      const claude = await run.begin('count')
      await claude.becomes('working')
      await claude.sees(/Number 3/)
      // Longer than others: no spinner turns meanwhile, and it must be recognised as working.
      await run.stay(2_500)
      await claude.press('Escape')
      await claude.becomes('idle')
    },
  },
  {
    name: 'esc_tool',
    shows: 'Esc in a running tool ends the turn; no hook tells it.',
    args: ALLOW_BASH,
    model: (talk) => talk.on('sleep', say('I will.'), SLEEP),
    async user(run) {
      const claude = await run.begin('sleep')
      await claude.becomes('working')
      await claude.sees(/sleep 30/)
      await run.stay()
      await claude.press('Escape')
      await claude.becomes('idle')
    },
  },
  {
    name: 'esc_think',
    shows: 'Esc before the first word takes the prompt back: no hook, no transcript entry.',
    model: (talk) => talk.on('think', hold()),
    async user(run) {
      const claude = await run.begin('think')
      await claude.becomes('working')
      await run.stay()
      await claude.press('Escape')
      await claude.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'esc_twice',
    shows: 'Two turns, each ended by Esc in streaming text.',
    model: (talk) => talk.on('count again', COUNTING).on('count', COUNTING),
    async user(run) {
      const claude = await run.begin('count')
      await claude.sees(/Number 3/)
      await run.stay()
      await claude.press('Escape')
      await claude.becomes('idle')
      await run.stay()
      await claude.submit('count again')
      await claude.sees(/Number 3\.[\s\S]*Number 3\./)
      await run.stay()
      await claude.press('Escape')
      await claude.becomes('idle')
    },
  },
  {
    name: 'esc_rewind',
    shows: 'Esc twice in an empty input line opens the rewind menu, which no hook tells.',
    since: '2.1.325',
    model: (talk) => talk.on('touch', say('Running.'), TOUCH).on('hello', say('Hello.')),
    async user(run) {
      const claude = await run.begin('touch it')
      await claude.replyTo(PERMISSION, 'Escape')
      await claude.becomes('idle')
      await run.stay()
      await claude.press('Escape')
      // The screen does not show the first; two in one burst would be one key.
      await run.stay(300)
      await claude.press('Escape')
      await claude.becomes('waiting')
      // Longer than others: without registry and screen it cannot be known.
      await run.stay(2_200)
      await claude.press('Escape')
      await claude.becomes('idle')
      await run.stay()
      await claude.submit('hello')
      await claude.becomes('idle')
    },
  },
  {
    name: 'ctrlc_stream',
    shows: 'Ctrl-C in streaming text ends the turn as Esc does; another prompt follows.',
    model: (talk) => talk.on('count', COUNTING).on('hello', say('Hello.')),
    async user(run) {
      const claude = await run.begin('count')
      await claude.sees(/Number 3/)
      await run.stay()
      await claude.press('C-c')
      await claude.becomes('idle')
      await run.stay()
      await claude.submit('hello')
      await claude.becomes('idle')
    },
  },
  {
    name: 'ctrl_c_twice',
    shows: 'Ctrl-C twice in an empty input line ends the client.',
    model: (talk) => talk.on('hello', say('Hello.')),
    async user(run) {
      const claude = await run.begin('hello')
      await claude.becomes('working')
      await claude.becomes('idle')
      await run.stay()
      await claude.press('C-c')
      await claude.sees(/Ctrl-C again/)
      await claude.press('C-c')
      await claude.pane.ended()
    },
  },
  {
    name: 'esc_compact',
    shows: 'Esc while /compact sums up the conversation leaves it as it was.',
    model: (talk) => talk.on(COMPACTION, hold()).on('hello', say('Hello.')),
    async user(run) {
      const claude = await run.begin('hello')
      await claude.becomes('working')
      await claude.becomes('idle')
      // Some clients do not compact a single exchange.
      await claude.submit('hello again')
      await claude.becomes('idle')
      await run.stay()
      await claude.submit('/compact')
      await claude.becomes('working')
      await run.stay()
      await claude.press('Escape')
      await claude.becomes('idle')
    },
  },
  {
    name: 'esc_two_tools',
    shows: 'Esc while two tools run side by side ends both and the turn.',
    args: ALLOW_BASH,
    model: (talk) => talk.on('sleep', READ_LONG, READ_LONG),
    async user(run) {
      const claude = await run.begin('sleep')
      await claude.becomes('working')
      await run.stay(1_500)
      await claude.press('Escape')
      await claude.becomes('idle')
    },
  },
]
