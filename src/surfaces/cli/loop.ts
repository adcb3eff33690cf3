import type { Command } from 'commander'
import { MODES } from '../../core/loop/run.ts'
import { START_HELP } from './loop-help.ts'
import type { StartOptions } from './loop-start.ts'
import {
  budgetOption,
  durationOption,
  maxOption,
  patienceOption,
  textOption,
} from './loop-values.ts'
import { SESSION_IS } from './option-words.ts'
import { commandGroup } from './shortened.ts'

const SESSION = `${SESSION_IS}; left out: the session that runs this command`

export function addLoop(program: Command): void {
  const loop = commandGroup(program, 'loop')
    .description('keep an agent working until its task is done, within limits')
    .addHelpText('after', HELP)
  addStart(loop)
  addStatus(loop)
  addActs(loop)
  addTransfer(loop)
}

const HELP = `
Without a command: vigil loop status.

Examples:
  vigil loop start --prompt "make the tests pass" --until "npm test" --for 2h
  vigil loop start payments --from tasks.md --max 20
  vigil loop status                  list running loops, the most urgent first
  vigil loop stop payments           end it; the agent stops when its turn is done

When an agent in a loop wants to stop, vigil tells it to continue, until it reports that the task is
done, a limit is reached, or you end the loop. If vigil fails, the agent stops as usual. Esc in the
session pauses its loop.`

function addStart(loop: Command): void {
  const command = loop
    .command('start')
    .description('begin one; in a session that is in a loop, one within it')
    .argument('[session]', SESSION)
    .option('--prompt <text>', 'the task for the agent', (value) => textOption('--prompt', value))
    .option('--prompt-file <file>', 'read the task from a file, or from standard input: -')
  command.addOption(
    command.createOption('--mode <mode>', 'loop, issue or grind; see below').choices(MODES),
  )
  command
    .option(
      '--item <words>',
      'the item to work on: a title, or with --from an id or title of the source',
    )
    .option('--from <source>', 'where items come from: github, FILE.md or a command')
    .option(
      '--filter <search>',
      'which GitHub issues, in GitHub’s search syntax: label:bug author:@me',
    )
    .option(
      '--max <n>',
      'how many iterations (default 10), or items of a grind (default 100)',
      maxOption,
    )
    .option('--for <time>', '90s, 30m, 2h, 1h30m, 1d', (value) => durationOption('--for', value))
    .option('--budget <usd>', 'how much the session may cost from now on', budgetOption)
    .option(
      '--until <shell command>',
      'the task is done when this command exits 0; otherwise the agent gets its output',
      (value) => textOption('--until', value),
    )
    .option(
      '--patience <n>',
      'end the loop after this many turns without progress (default 3; 0: never)',
      patienceOption,
    )
    .option('--json', 'print the new loop as one JSON object')
    .addHelpText('after', START_HELP)
    .action(async (name: string | undefined, options: StartOptions) =>
      (await import('./loop-start.ts')).start(name, options),
    )
  loop
    .command('begin', { hidden: true })
    .description('for /vigil:loop: start what you typed after it')
    .action(async () => (await import('./loop-begin.ts')).begin())
}

function addStatus(loop: Command): void {
  loop
    .command('status')
    .description('list running loops, or show one in full; removes merged worktrees')
    .argument('[session]', SESSION_IS)
    .option('--all', 'also list ended loops')
    .option('--json', 'print an array of loops, or one loop; removes no worktrees')
    .action(async (name: string | undefined, options) =>
      (await import('./loop-status.ts')).printLoopStatus(name, options),
    )
  loop
    .command('history')
    .description('show the history of a loop: time, cost and last message of each iteration')
    .argument('[session]', SESSION)
    .option('--json', 'print an array with one object for each step')
    .action(async (name: string | undefined, options) =>
      (await import('./loop-history.ts')).printLoopHistory(name, options),
    )
}

function addActs(loop: Command): void {
  const acts = [
    ['pause', 'pause a loop: the agent may stop until you resume it'],
    ['resume', 'continue a loop that was paused or parked, or that needs you'],
    ['stop', 'end a loop at once; removes worktrees without work in them'],
  ] as const
  for (const [act, description] of acts)
    loop
      .command(act)
      .description(description)
      .argument('[session]', SESSION)
      .option('--json', 'print the loop as one JSON object')
      .action(async (name: string | undefined, options) =>
        (await import('./loop-act.ts'))[act](name, options),
      )
}

function addTransfer(loop: Command): void {
  loop
    .command('export')
    .description('print a loop’s state as JSON, in the format of idle-stop-hook.md')
    .argument('[session]', SESSION)
    .action(async (name: string | undefined) =>
      (await import('./loop-transfer.ts')).exportLoop(name),
    )
  loop
    .command('import')
    .usage('[options] [session] <file>')
    .description(
      'continue a loop from an exported state or idle-loop.local.md; - is standard input',
    )
    .argument('<file...>', 'the session to use (default: this session), and the file')
    .option('--json', 'print the loop as one JSON object')
    .action(async (words: string[], options) =>
      (await import('./loop-transfer.ts')).importLoop(words, options),
    )
}
