import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Conversation } from '../conversation.ts'
import { say, tool } from '../model/script.ts'
import { editHello, PERMISSION, readHello, TOUCH } from './common.ts'

/** All outcomes of one permission dialog. Several in a turn: `permissions-many.ts`. */
export const permissions: readonly Conversation[] = [
  {
    name: 'bash_approve',
    shows: 'A command asks for permission and is allowed; it runs a second before the turn ends.',
    model: (talk) => talk.on('touch', say('Running.'), TOUCH).next(say('All done.')),
    async user(run) {
      const claude = await run.begin('touch it')
      await claude.replyTo(PERMISSION, 'Enter')
      await claude.becomes('idle')
    },
  },
  {
    name: 'bash_reject',
    shows: 'Esc in a permission dialog ends the turn; no hook tells it.',
    model: (talk) => talk.on('touch', say('Running.'), TOUCH),
    async user(run) {
      const claude = await run.begin('touch it')
      await claude.replyTo(PERMISSION, 'Escape')
      await claude.becomes('idle')
    },
  },
  {
    name: 'write_no',
    shows: 'The No of a permission dialog, chosen by its number, ends the turn as Esc does.',
    model: (talk, place) => talk.on('write', say('Writing.'), writeNew(place.project)),
    async user(run) {
      const claude = await run.begin('write it')
      await claude.replyTo(PERMISSION, '3')
      await claude.becomes('idle')
    },
  },
  {
    name: 'perm_feedback',
    shows: 'A No with words typed behind it refuses the tool, and the turn goes on.',
    since: '2.1.100',
    model: (talk, place) =>
      talk
        .on('write', say('Writing.'), writeNew(place.project))
        .next(say('Another name then.', { overMs: 1500 })),
    async user(run) {
      const claude = await run.begin('write it')
      await claude.becomes('waiting')
      await run.stay()
      await claude.sees(PERMISSION)
      await claude.press('Down', 'Down')
      await claude.sees(/❯ 3\. No/)
      await claude.press('Tab')
      await claude.type('use another name')
      await claude.sees(/❯ 3\. .*use another name/)
      await claude.answer(PERMISSION, 'Enter')
      await claude.becomes('idle')
    },
  },
  {
    name: 'perm_ctrlc',
    shows: 'Ctrl-C in a permission dialog changes nothing: the client goes on waiting.',
    model: (talk) => talk.on('touch', say('Running.'), TOUCH),
    async user(run) {
      const claude = await run.begin('touch it')
      await claude.becomes('waiting')
      await run.stay()
      await claude.sees(PERMISSION)
      await claude.press('C-c')
      await run.stay(2000)
      await claude.sees(PERMISSION)
    },
  },
  {
    name: 'perm_notify',
    shows: 'A dialog stays open until the client notifies its user of it, then it is allowed.',
    model: (talk) => talk.on('touch', say('Running.'), TOUCH).next(say('All done.')),
    async user(run) {
      const claude = await run.begin('touch it')
      await claude.becomes('waiting')
      await run.hook('Notification')
      await run.stay()
      await claude.answer(PERMISSION, 'Enter')
      await claude.becomes('idle')
    },
  },
  {
    name: 'perm_left',
    shows: 'A permission dialog without an answer waits, past the client’s own notification.',
    model: (talk) => talk.on('touch', say('Running.'), TOUCH),
    async user(run) {
      const claude = await run.begin('touch it')
      await claude.becomes('waiting')
      await run.hook('Notification')
      await run.stay()
    },
  },
  {
    name: 'perm_always',
    shows: 'Allowed with “don’t ask again”: the same command runs without a dialog after that.',
    model: (talk) => {
      const build = tool('Bash', { command: 'sh build.sh', description: 'build' })
      return talk.on('build', build).next(build).next(say('Built twice.'))
    },
    prepare: ({ project }) => writeFileSync(join(project, 'build.sh'), 'sleep 1\n'),
    async user(run) {
      const claude = await run.begin('build it twice')
      await claude.becomes('waiting')
      await run.stay()
      await claude.sees(/2\. Yes, and don.t ask again/)
      await claude.answer(PERMISSION, '2')
      await claude.becomes('idle')
    },
  },
  {
    name: 'edit',
    shows: 'An edit asks for permission and is allowed; the file is read before it unasked.',
    model: (talk, place) =>
      talk.on('edit', readHello(place)).next(editHello(place)).next(say('Edited.')),
    async user(run) {
      const claude = await run.begin('edit it')
      await claude.replyTo(PERMISSION, 'Enter')
      await claude.becomes('idle')
    },
  },
  {
    name: 'edit_reject',
    shows: 'Esc in the dialog of an edit ends the turn.',
    model: (talk, place) => talk.on('edit', readHello(place)).next(editHello(place)),
    async user(run) {
      const claude = await run.begin('edit it')
      await claude.replyTo(PERMISSION, 'Escape')
      await claude.becomes('idle')
    },
  },
]

function writeNew(project: string) {
  return tool('Write', { file_path: join(project, 'new.txt'), content: 'hi\n' })
}
