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
import { SESSION_IS } from './session-is.ts'
import { commandGroup } from './shortened.ts'

const SESSION = `${SESSION_IS}; none: the one this runs in`

export function addLoop(program: Command): void {
  const loop = commandGroup(program, 'loop')
    .description('keep an agent going until it is done, within limits, and stop it at once')
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
  vigil loop status                  every loop that goes on, the neediest first
  vigil loop stop payments           at once: the next stop is let through

An agent in a loop that wants to stop is told to go on, until it says that it is done, until a
limit is reached, or until you stop it. If vigil fails, the agent just stops. Esc in the session
pauses its loop.`

function addStart(loop: Command): void {
  const command = loop
    .command('start')
    .description('begin one; in a session that is in a loop, one within it')
    .argument('[session]', SESSION)
    .option('--prompt <text>', 'what the agent is to do', (value) => textOption('--prompt', value))
    .option('--prompt-file <file>', 'the same from a file, or from standard input: -')
  command.addOption(command.createOption('--mode <mode>', 'see below').choices(MODES))
  command
    .option('--item <words>', 'the one to work on: a title, or with --from an id or a title there')
    .option('--from <source>', 'where items come from: github, FILE.md or a command')
    .option('--filter <search>', 'which issues of GitHub, in its own words: label:bug author:@me')
    .option('--max <n>', 'iterations, or items of a grind (10, of a grind 100)', maxOption)
    .option('--for <time>', '90s, 30m, 2h, 1h30m, 1d', (value) => durationOption('--for', value))
    .option('--budget <usd>', 'what the session may cost from here on', budgetOption)
    .option(
      '--until <shell command>',
      'done only when this exits 0; else the agent gets its output',
      (value) => textOption('--until', value),
    )
    .option(
      '--patience <n>',
      'turns without progress that are borne (3; 0: any number)',
      patienceOption,
    )
    .option('--json', 'what was begun, as one JSON object')
    .addHelpText('after', START_HELP)
    .action(async (name: string | undefined, options: StartOptions) =>
      (await import('./loop-start.ts')).start(name, options),
    )
  loop
    .command('begin', { hidden: true })
    .description('for /vigil:loop: begin what was typed behind it')
    .action(async () => (await import('./loop-begin.ts')).begin())
}

function addStatus(loop: Command): void {
  loop
    .command('status')
    .description('every loop that goes on, or one in full; merged worktrees are cleaned up')
    .argument('[session]', SESSION_IS)
    .option('--all', 'those that are over, too')
    .option('--json', 'an array with one object for each, or the one; nothing is cleaned up')
    .action(async (name: string | undefined, options) =>
      (await import('./loop-status.ts')).printLoopStatus(name, options),
    )
  loop
    .command('history')
    .description('what happened to a loop: time, cost and last words of each iteration')
    .argument('[session]', SESSION)
    .option('--json', 'an array with one object for each step')
    .action(async (name: string | undefined, options) =>
      (await import('./loop-history.ts')).printLoopHistory(name, options),
    )
}

function addActs(loop: Command): void {
  const acts = [
    ['pause', 'let the agent stop, until it is resumed'],
    ['resume', 'go on with one that was paused, parked, or needs you'],
    ['stop', 'end it at once; worktrees without work in them are removed'],
  ] as const
  for (const [act, description] of acts)
    loop
      .command(act)
      .description(description)
      .argument('[session]', SESSION)
      .option('--json', 'the loop as it then is')
      .action(async (name: string | undefined, options) =>
        (await import('./loop-act.ts'))[act](name, options),
      )
}

function addTransfer(loop: Command): void {
  loop
    .command('export')
    .description('its state as JSON, in the form of idle-stop-hook.md')
    .argument('[session]', SESSION)
    .action(async (name: string | undefined) =>
      (await import('./loop-transfer.ts')).exportLoop(name),
    )
  loop
    .command('import')
    .usage('[options] [session] <file>')
    .description('take up a loop from such a state, or idle-loop.local.md; - is standard input')
    .argument('<file...>', 'the session it is for, if it is not this one, and the file')
    .option('--json', 'the loop as it then is')
    .action(async (words: string[], options) =>
      (await import('./loop-transfer.ts')).importLoop(words, options),
    )
}
