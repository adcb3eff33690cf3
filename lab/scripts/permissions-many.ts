import type { Conversation } from '../conversation.ts'
import { say, tool } from '../model/script.ts'
import { editHello, PERMISSION, readHello, TOUCH } from './common.ts'

/** More than one dialog, or a dialog and something after it. */
export const permissionsMany: readonly Conversation[] = [
  {
    name: 'parallel_perms',
    shows: 'Two commands in one message ask one after the other: the second once the first ran.',
    model: (talk) =>
      talk.on('both', say('Both.'), touch('a', 1), touch('b', 1)).next(say('Both done.')),
    async user(run) {
      const claude = await run.begin('run both')
      for (const command of [/touch a\.txt/, /touch b\.txt/]) {
        await claude.becomes('waiting')
        await claude.sees(command)
        await run.stay()
        await claude.answer(PERMISSION, 'Enter')
      }
      await claude.becomes('idle')
    },
  },
  {
    name: 'mixed',
    shows: 'A turn with a read, a command with its dialog and an edit with its dialog.',
    model: (talk, place) =>
      talk
        .on('mix', readHello(place), touch('m', 2))
        .next(say('Now the edit.'), editHello(place))
        .next(say('All done.')),
    async user(run) {
      const claude = await run.begin('mix it')
      for (const dialog of [/Do you want to proceed/, /Do you want to make this edit/]) {
        await claude.replyTo(dialog, 'Enter')
      }
      await claude.becomes('idle')
    },
  },
  {
    name: 'many_perms',
    shows: 'Three dialogs in a row, each answered as soon as the client takes an answer.',
    model: (talk) =>
      talk
        .on('three', touch('a', 0))
        .next(touch('b', 0))
        .next(touch('c', 0))
        .next(say('All three.')),
    async user(run) {
      const claude = await run.begin('run three')
      for (const file of ['a', 'b', 'c']) {
        await claude.sees(new RegExp(`touch ${file}\\.txt`))
        await claude.answer(PERMISSION, 'Enter')
      }
      await claude.becomes('idle')
    },
  },
  {
    name: 'perm_auto',
    shows: 'Allowed with a switch to auto mode: the next command runs without a dialog.',
    since: '2.1.325',
    model: (talk) => talk.on('touch', touch('a', 1)).next(touch('b', 1)).next(say('Both done.')),
    async user(run) {
      const claude = await run.begin('touch both')
      await claude.becomes('waiting')
      await run.stay()
      await claude.sees(/3\. Yes, and switch to auto mode/)
      await claude.answer(PERMISSION, '3')
      await claude.becomes('idle')
    },
  },
  {
    name: 'esc_then_prompt',
    shows: 'Esc in a dialog, and a new prompt after it.',
    model: (talk) => talk.on('touch', say('Running.'), TOUCH).on('hello', say('Hello there.')),
    async user(run) {
      const claude = await run.begin('touch it')
      await claude.replyTo(PERMISSION, 'Escape')
      await claude.becomes('idle')
      await run.stay()
      await claude.submit('hello next')
      await claude.becomes('idle')
    },
  },
]

/** Makes a file of that name, so it asks; runs for this many seconds. */
function touch(name: string, seconds: number) {
  const command = `touch ${name}.txt${seconds > 0 ? ` && sleep ${seconds}` : ''}`
  return tool('Bash', { command, description: name })
}
