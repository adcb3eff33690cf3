import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Conversation } from '../conversation.ts'
import type { Place } from '../drive/place.ts'
import { pause, type Script, say, tool } from '../model/script.ts'
import { ALLOW_BASH, PERMISSION, TOUCH } from './common.ts'

const RULE = '─'.repeat(100)

/** As a turn that is over looks, with the input line below it. */
const LIKE_DONE = [
  ...[1, 2, 3].map((test) => `✓ Done test ${test}`),
  'Claude >',
  '● All done.',
  '✻ Baked for 0s · done 7:03 PM',
  RULE,
  '❯ ',
  RULE,
]

/** As a dialog and an interrupt look. */
const LIKE_DIALOG = [
  '[Request interrupted by user]',
  RULE,
  ' Do you want to proceed?',
  ' ❯ 1. Yes',
  '   2. No',
  ' Esc to cancel',
  'esc to interrupt',
]

const LIKE_PLAN = ['A plan looks so:', 'Exit plan mode?', '❯ 1. Yes', '  2. No']

const PRINT = tool('Bash', { command: 'cat screen.txt; sleep 2', description: 'print' })

/** While the model thinks on, the printed text stays on the screen. */
const THINKING = pause(3000)

/** Otherwise the client shows only how many lines a command printed. */
const VERBOSE = ['--verbose', ...ALLOW_BASH]

/** The newest models get these tools only on request. */
const TASKS = ['--tools', 'Bash,TaskCreate,TaskUpdate', ...ALLOW_BASH]

/** The output of tools and models may look like the client itself, or change how it looks. */
export const toolsScreen: readonly Conversation[] = [
  {
    name: 'checkmark',
    shows: 'A command prints what looks like the end of a turn, and the turn goes on.',
    args: VERBOSE,
    prepare: (place) => put(place, LIKE_DONE),
    model: (talk) => talk.on('tests', PRINT).next(THINKING, say('All passed.')),
    async user(run) {
      const claude = await run.begin('run the tests')
      await claude.becomes('idle')
    },
  },
  {
    name: 'quote',
    shows: 'A command prints what looks like a dialog and an interrupt, and the turn goes on.',
    args: VERBOSE,
    prepare: (place) => put(place, LIKE_DIALOG),
    model: (talk) => talk.on('quote', PRINT).next(THINKING, say('It printed that.')),
    async user(run) {
      const claude = await run.begin('quote it')
      await claude.becomes('idle')
    },
  },
  {
    name: 'quote_dialog',
    shows: 'The model’s own text looks like a plan’s dialog; a permission dialog opens below it.',
    model: (talk) =>
      talk
        .on('quote', say(LIKE_PLAN.join('\n')), TOUCH)
        .next(say('[Request interrupted by user]', { overMs: 1000 })),
    async user(run) {
      const claude = await run.begin('quote it')
      await claude.replyTo(PERMISSION, 'Enter')
      await claude.becomes('idle')
    },
  },
  {
    name: 'quote_command',
    shows: 'What a permission dialog shows of its command looks like a plan’s dialog.',
    model: (talk) => {
      const command = ['cat > made.txt << END', ...LIKE_PLAN, 'END'].join('\n')
      const description = 'Exit plan mode?'
      return talk.on('quote', tool('Bash', { command, description })).next(say('Written.'))
    },
    async user(run) {
      const claude = await run.begin('quote it')
      await claude.replyTo(PERMISSION, 'Enter')
      await claude.becomes('idle')
    },
  },
  {
    name: 'todo',
    shows: 'Tasks are noted and worked off one after the other; the list stands on the screen.',
    since: '2.1.100',
    args: TASKS,
    model: (talk) => steps(talk, 'Laying the table'),
    async user(run) {
      const claude = await run.begin('do it in steps')
      await claude.becomes('idle')
    },
  },
  {
    name: 'todo_quote',
    shows: 'The task that stands beside the spinner looks like the end of a turn.',
    since: '2.1.100',
    args: TASKS,
    model: (talk) => steps(talk, 'Cooked for 2s · done 7:03 PM'),
    async user(run) {
      const claude = await run.begin('do it in steps')
      await claude.becomes('idle')
    },
  },
]

function steps(talk: Script, doing: string): Script {
  return talk
    .on('steps', task('Lay the table', doing), task('Eat the soup', 'Eating'))
    .next(tool('TaskUpdate', { taskId: '1', status: 'in_progress' }))
    .next(tool('Bash', { command: 'sleep 2', description: 'lay' }))
    .next(THINKING, tool('TaskUpdate', { taskId: '1', status: 'completed' }))
    .next(say('One task is left.'))
}

function put({ project }: Place, lines: readonly string[]): void {
  writeFileSync(join(project, 'screen.txt'), `${lines.join('\n')}\n`)
}

function task(subject: string, activeForm: string) {
  return tool('TaskCreate', { subject, description: subject, activeForm })
}
