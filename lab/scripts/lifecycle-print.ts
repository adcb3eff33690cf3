import type { Conversation } from '../conversation.ts'
import type { Run } from '../drive/run.ts'
import { pause, type Script, say, tool } from '../model/script.ts'
import { ALLOW_BASH, TOUCH } from './common.ts'

/** One prompt and its answer, without a screen. */
export const lifecyclePrint: readonly Conversation[] = [
  {
    name: 'print',
    shows:
      'With -p there is no user to ask: the client refuses a permission, and the turn goes on.',
    args: ['-p', 'touch it'],
    model: (talk) => talk.on('touch', say('Running.'), TOUCH).next(pause(1_000), say('All done.')),
    user: toItsEnd,
  },
  {
    name: 'print_tools',
    shows: 'With -p and a tool that is allowed: working until the end of the process.',
    args: ['-p', 'sleep', ...ALLOW_BASH],
    model: sleeps,
    user: toItsEnd,
  },
  {
    name: 'print_stream',
    shows: 'With -p and its answer as a stream of JSON.',
    args: ['-p', 'sleep', '--output-format', 'stream-json', '--verbose', ...ALLOW_BASH],
    model: sleeps,
    user: toItsEnd,
  },
]

function sleeps(talk: Script): Script {
  const nap = tool('Bash', { command: 'sleep 3', description: 'sleep' })
  return talk.on('sleep', say('Sleeping.'), nap).next(say('Slept.'))
}

async function toItsEnd(run: Run): Promise<void> {
  const claude = await run.claude(undefined, { ready: false })
  await claude.pane.ended()
}
