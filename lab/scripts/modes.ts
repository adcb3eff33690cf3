import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Conversation } from '../conversation.ts'
import type { Place } from '../drive/place.ts'
import { pause, say, tool } from '../model/script.ts'
import { editHello, PERMISSION, readHello, TOUCH } from './common.ts'

const AUTO = ['--permission-mode', 'auto']

/** The stand-in does not support the check that auto mode makes for some commands. */
const UNCHECKED = /Auto mode can't check actions in this session\n/

/** Runs code that the client cannot inspect, so auto mode checks it. */
const BUILD = tool('Bash', { command: 'sh build.sh', description: 'build' })
const SLEEPS = (place: Place) => writeFileSync(join(place.project, 'build.sh'), 'sleep 1\n')

/** Modes in which the client asks less than it does by default. */
export const modes: readonly Conversation[] = [
  {
    name: 'accept_edits',
    shows: 'In acceptEdits mode an edit runs without a dialog, and a command still asks.',
    args: ['--permission-mode', 'acceptEdits'],
    prepare: SLEEPS,
    model: (talk, place) =>
      talk.on('edit', readHello(place)).next(editHello(place)).next(BUILD).next(say('All done.')),
    async user(run) {
      const claude = await run.begin('edit it and build')
      await claude.becomes('waiting')
      await claude.sees(/sh build\.sh/)
      await run.stay()
      await claude.answer(PERMISSION, 'Enter')
      await claude.becomes('idle')
    },
  },
  {
    name: 'auto_mode',
    shows: 'In auto mode an edit and a command run without a dialog.',
    // Older clients asked whether to enable the mode.
    since: '2.1.220',
    args: AUTO,
    model: (talk, place) =>
      talk.on('edit', readHello(place)).next(editHello(place)).next(TOUCH).next(say('All done.')),
    async user(run) {
      const claude = await run.begin('edit it and touch')
      await claude.becomes('idle')
    },
  },
  {
    name: 'auto_unchecked',
    shows: 'Auto mode cannot check a command: a dialog says so, and behind it another asks.',
    since: '2.1.325',
    args: AUTO,
    prepare: SLEEPS,
    model: (talk) => talk.on('build', BUILD).next(say('Built.')),
    async user(run) {
      const claude = await run.begin('build it')
      await claude.replyTo(UNCHECKED, 'Enter')
      await claude.sees(PERMISSION)
      await run.stay()
      await claude.press('Down')
      await claude.sees(/❯ Yes/)
      await claude.answer(PERMISSION, 'Enter')
      await claude.becomes('idle')
    },
  },
  {
    name: 'auto_leave',
    shows: 'Where auto mode cannot check a command its user leaves the mode; that ends the turn.',
    since: '2.1.325',
    args: AUTO,
    prepare: SLEEPS,
    model: (talk) => talk.on('build', BUILD),
    async user(run) {
      const claude = await run.begin('build it')
      await claude.replyTo(UNCHECKED, 'BTab')
      await claude.becomes('idle')
    },
  },
  {
    name: 'dont_ask',
    shows: 'In dontAsk mode a command is refused without a dialog, and the turn goes on.',
    args: ['--permission-mode', 'dontAsk'],
    model: (talk) => talk.on('touch', TOUCH).next(pause(1000), say('It was refused.')),
    async user(run) {
      const claude = await run.begin('touch it')
      await claude.becomes('idle')
    },
  },
  {
    name: 'bypass',
    shows: 'With permissions bypassed a command runs without a dialog, once the risk is accepted.',
    args: ['--dangerously-skip-permissions'],
    // Root may not, unless a variable says that it is in a sandbox.
    env: { IS_SANDBOX: '1' },
    model: (talk) => talk.on('touch', TOUCH).next(say('All done.')),
    async user(run) {
      const claude = await run.claude(undefined, { ready: false })
      await claude.sees(/Yes, I accept/)
      await run.stay()
      await claude.press('Down')
      await claude.sees(/❯ (2\. )?Yes, I accept/)
      await claude.press('Enter')
      await claude.becomes('idle')
      await claude.submit('touch it')
      await claude.becomes('idle')
    },
  },
]
