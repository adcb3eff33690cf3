import { existsSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import type { SetupOption } from '../../agents/setup.ts'
import { endHolder } from '../../client/holder.ts'
import { COMMAND } from '../../client/start.ts'
import { shellWord } from '../../core/shell-word.ts'
import { EditRefused } from '../../edit/refused.ts'
import { outermost } from '../../home/denied.ts'
import { type Folders, foldersOf } from '../../home/folders.ts'
import { install } from '../../install/install.ts'
import { isServiceInstalled } from '../../install/service-installed.ts'
import { uninstall } from '../../install/uninstall.ts'
import { BadInput } from './bad-input.ts'
import {
  fileJson,
  installJson,
  installText,
  type Stays,
  staysText,
  uninstallText,
} from './install-said.ts'
import { allFor, type ChosenAgent, chosenFor, type Named, settable } from './install-which.ts'
import { ALL_EVENTS, agentOption } from './option-words.ts'
import { out } from './output.ts'

interface Options extends Named {
  readonly create?: boolean
  readonly allEvents?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** `vigil install` and `vigil uninstall`. */
export function addInstall(program: Command): void {
  const more = (word: string, words: readonly string[]) => [...words, word]
  const both = (command: Command) =>
    command
      .addOption(agentOption(program, 'only this agent', settable()))
      .option('--dry-run', 'show what would change, and write nothing')
      .option('--json', 'print what was done as JSON')
  const added = both(program.command('install'))
    .description('add hooks to your agents’ settings, so that they report to vigil')
    .option('--config-dir <dir>', `a config folder, as in ${homeNames()}; repeatable`, more, [])
    .option('--create', 'create a --config-dir that does not exist yet')
    .option('--all-events', ALL_EVENTS)
    .addHelpText('after', installHelp())
    .action((options: Options) => orBadInput(() => runInstall(options)))
  for (const { command, title } of settable())
    added.option(`--${command} <path>`, `use the version of this ${title}, not of the one in PATH`)
  for (const { name, on, off } of offered())
    added.option(`--${name}`, on).option(`--no-${name}`, off)
  both(program.command('uninstall'))
    .description('remove vigil’s hooks from every settings file it added them to')
    .option('--config-dir <dir>', 'also look in this config folder; repeatable', more, [])
    .addHelpText('after', UNINSTALL_HELP)
    .action((options: Options) => orBadInput(() => runUninstall(options)))
}

/** What agents offer besides hooks, without duplicates. */
function offered(): SetupOption[] {
  const all = settable().flatMap(({ setup }) => setup.options)
  return [...new Map(all.map((option) => [option.name, option])).values()]
}

function homeNames(): string {
  return settable()
    .flatMap(({ variables }) => variables.home ?? [])
    .join(', ')
}

function installHelp(): string {
  const [first] = settable()
  const extra = offered().map(({ name, on }) => `  ${`vigil install --${name}`.padEnd(44)} ${on}`)
  return `
Adds one hook for each event that vigil needs of an agent to its settings, behind those that are
there, and raises what would keep vigil loop from keeping it going. Comments, order and layout stay;
a copy from before is kept. Running it again changes nothing, or what a newer client needs. A client
that writes its state into a file takes few events, and no hook runs for a tool call; --all-events
adds the others.
Without --agent it sets up every agent that is found here: its program in PATH, or its folder.
Of several clients that use one config folder, the oldest says which events are written: programs in
PATH, sessions that run, and those that wrote a transcript there in the last seven days.

Examples:
  vigil install --dry-run                      what would change, as a diff
  vigil install                                for every agent found here
  vigil install --agent ${(first?.id ?? '').padEnd(22)} for this agent only
  vigil install --config-dir ~/work-settings   in another config folder
${extra.join('\n')}

Exit code 2: a settings file is malformed (the error names the line); no file was changed.`
}

const UNINSTALL_HELP = `
A file that has not changed since gets its former content back. From other files only vigil’s part
is removed. Files and folders that vigil made are deleted.

Examples:
  vigil uninstall --dry-run    what would change, as a diff
  vigil uninstall`

function orBadInput(act: () => void): void {
  try {
    act()
  } catch (error) {
    throw error instanceof EditRefused ? new BadInput(error.message) : error
  }
}

function runInstall(options: Options): void {
  const folders = foldersOf(process.env)
  const dryRun = Boolean(options.dryRun)
  const { allEvents } = options
  if (!options.create) options.configDir.forEach(refuseMissing)
  const chosen = chosenFor(options, process.env, folders)
  const asked = Object.fromEntries(offered().map(({ name }) => [name, options[name]])) as Asked
  refuseUnoffered(asked, chosen)
  const installed = install({
    folders,
    targets: chosen.map(({ target }) => target),
    asked,
    allEvents,
    env: process.env,
    node: process.execPath,
    vigil: COMMAND,
    dryRun,
  })
  const all = installed.map((one, at) => ({ ...one, ...(chosen[at] as ChosenAgent), allEvents }))
  if (options.json) out.json(installJson(all, dryRun))
  else out.lines(installText(all, dryRun))
}

/** SPEC I9. A folder that does not exist is more often mistyped than new. */
function refuseMissing(dir: string): void {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return
  throw new BadInput(`--config-dir ${dir}: no such folder; check the spelling, or add --create`)
}

const KEPT = 'the log, the settings, and an empty hook for sessions that still run'

/** SPEC I21. What uninstall leaves, each with the command that removes it. */
function whatStays(folders: Folders): Stays[] {
  const kept = outermost(folders).filter((path) => existsSync(path))
  return [
    ...(isServiceInstalled(folders, process.env)
      ? [{ what: 'the service that starts the daemon at login', remove: 'vigil service remove' }]
      : []),
    ...(kept.length === 0
      ? []
      : [{ what: KEPT, remove: `vigil stop; rm -r ${kept.map(shellWord).join(' ')}` }]),
    ...(COMMAND.includes('/node_modules/')
      ? [{ what: 'vigil itself', remove: 'npm uninstall -g agent-vigil' }]
      : []),
  ]
}

type Asked = Readonly<Record<string, boolean | undefined>>

function refuseUnoffered(asked: Asked, chosen: readonly ChosenAgent[]): void {
  for (const [name, wish] of Object.entries(asked)) {
    const isOffered = chosen.some(({ agent }) =>
      agent.setup.options.some((one) => one.name === name),
    )
    if (wish !== undefined && !isOffered) {
      const titles = chosen.map(({ agent }) => agent.title).join(', ')
      throw new BadInput(`--${name}: ${titles} does not have this option`)
    }
  }
}

function runUninstall(options: Options): void {
  const folders = foldersOf(process.env)
  const targets = allFor(options, process.env, folders)
  const outcomes = uninstall({ folders, targets, dryRun: options.dryRun })
  const dryRun = Boolean(options.dryRun)
  // SPEC OC3. Nothing of vigil stays behind; a running daemon holds its address itself.
  if (!dryRun && options.agent === undefined) endHolder(folders)
  const stays = options.agent === undefined ? whatStays(folders) : []
  if (options.json) out.json({ dryRun, files: outcomes.map(fileJson), stays })
  else out.lines([...uninstallText(outcomes, dryRun), ...staysText(stays)])
}
