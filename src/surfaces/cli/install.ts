import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { BLOCK_CAP } from '../../agents/claude/entries.ts'
import { OLDEST_CLIENT } from '../../agents/claude/events.ts'
import { endHolder } from '../../client/holder.ts'
import { Refused } from '../../edit/refused.ts'
import { foldersOf } from '../../home/folders.ts'
import { findClient, type InstalledClient } from '../../install/client.ts'
import { configDirsFor } from '../../install/config-dirs.ts'
import { unifiedDiff } from '../../install/diff.ts'
import { type Installed, install, type Outcome } from '../../install/install.ts'
import { uninstall } from '../../install/uninstall.ts'
import { BadInput } from './bad-input.ts'
import { out } from './output.ts'

interface UninstallOptions {
  readonly configDir: readonly string[]
  readonly dryRun?: boolean
  readonly json?: boolean
}

interface InstallOptions extends UninstallOptions {
  readonly claude?: string
  readonly statusline?: boolean
  readonly plugin?: boolean
}

const VIGIL = fileURLToPath(new URL('../../../bin/vigil.js', import.meta.url))

/** `vigil install` and `vigil uninstall`. */
export function addInstall(program: Command): void {
  const more = (dir: string, dirs: readonly string[]) => [...dirs, dir]
  program
    .command('install')
    .description('let Claude Code tell vigil what happens, by hooks in its settings')
    .option('--dry-run', 'show what would change and write nothing')
    .option('--config-dir <dir>', 'a config folder, as in CLAUDE_CONFIG_DIR; repeatable', more, [])
    .option('--claude <path>', 'the client whose version counts, instead of the one in PATH')
    .option('--statusline', 'also read the figures of the status line; your own is passed through')
    .option('--no-statusline', 'give the status line back')
    .option('--plugin', 'also /vigil:loop, /vigil:stop and /vigil:status inside Claude Code')
    .option('--no-plugin', 'take these out again')
    .option('--json', 'say what was done as JSON')
    .addHelpText('after', INSTALL_HELP)
    .action((options: InstallOptions) => told(() => runInstall(options)))
  program
    .command('uninstall')
    .description('take vigil’s hooks out of every settings file it was installed in')
    .option('--dry-run', 'show what would change and write nothing')
    .option('--config-dir <dir>', 'look into this config folder too; repeatable', more, [])
    .option('--json', 'say what was done as JSON')
    .addHelpText('after', UNINSTALL_HELP)
    .action((options: UninstallOptions) => told(() => runUninstall(options)))
}

const INSTALL_HELP = `
Adds one hook for each event that your Claude Code knows to <config>/settings.json, behind those
that are there, and raises its cap on blocked stops, so that vigil loop can keep an agent going.
Comments, order and layout stay; a copy from before is kept. Running it again changes nothing, or
adds what a newer client knows besides.

Examples:
  vigil install --dry-run                      what would change, as a diff
  vigil install                                in CLAUDE_CONFIG_DIR or ~/.claude
  vigil install --config-dir ~/.claude-work    in another config folder
  vigil install --statusline                   also model, context and cost, from the status line
  vigil install --plugin                       also loops by /vigil:loop inside Claude Code

Exit code 2: a settings file is broken (its line is named); no file was changed.`

const UNINSTALL_HELP = `
A file that nobody touched since gets back the bytes it had; from any other only what is vigil’s
is taken out. Files and folders that were not there before are removed.

Examples:
  vigil uninstall --dry-run    what would change, as a diff
  vigil uninstall`

function told(act: () => void): void {
  try {
    act()
  } catch (error) {
    throw error instanceof Refused ? new BadInput(error.message) : error
  }
}

function runInstall(options: InstallOptions): void {
  const folders = foldersOf(process.env)
  const client = findClient(options.claude, process.env)
  const installed = install({
    folders,
    configDirs: configDirsFor(options.configDir, process.env, folders),
    version: client?.version,
    statusline: options.statusline,
    plugin: options.plugin,
    cap: !process.env[BLOCK_CAP.key],
    node: process.execPath,
    vigil: VIGIL,
    dryRun: options.dryRun,
  })
  if (options.json) out.json(installJson(installed, client, options))
  else out.lines(installText(installed, client, options))
}

function runUninstall(options: UninstallOptions): void {
  const folders = foldersOf(process.env)
  const configDirs = configDirsFor(options.configDir, process.env, folders)
  const outcomes = uninstall({ folders, configDirs, dryRun: options.dryRun })
  const dryRun = Boolean(options.dryRun)
  // SPEC OC3. Nothing of vigil's stays behind; a daemon that runs holds its address itself.
  if (!dryRun) endHolder(folders)
  if (options.json) out.json({ dryRun, files: outcomes.map(fileJson) })
  else out.lines(outcomes.flatMap((outcome) => linesOf(outcome, dryRun, TAKEN_OUT)))
}

function installJson(
  { events, hook, plugin, outcomes }: Installed,
  client: InstalledClient | undefined,
  { dryRun }: InstallOptions,
) {
  const files = outcomes.map(fileJson)
  return { dryRun: Boolean(dryRun), client: client ?? null, events, hook, plugin, files }
}

function fileJson({ settings, changed, backup, warnings, before, after }: Outcome) {
  const how = after === undefined ? 'absent' : before === undefined ? 'created' : 'present'
  return { settings, changed, file: how, ...(backup && { backup }), warnings }
}

function installText(
  { events, plugin, outcomes }: Installed,
  client: InstalledClient | undefined,
  { dryRun }: InstallOptions,
): string[] {
  const head = client
    ? `Claude Code ${client.version} (${client.path}): ${events.length} hook events`
    : `no claude in PATH: the ${events.length} hook events that every client from ` +
      `${OLDEST_CLIENT} on knows; name yours with --claude for more`
  const files = outcomes.flatMap((outcome) => linesOf(outcome, Boolean(dryRun), PUT_IN))
  const changed = outcomes.some((outcome) => outcome.changed)
  const next = changed && !dryRun ? [NEXT, ...(plugin ? [COMMANDS] : [])] : []
  return [head, ...files, ...next]
}

const COMMANDS = 'They also know /vigil:loop, /vigil:stop and /vigil:status.'

const NEXT = 'Sessions started from here on report to vigil; `vigil uninstall` undoes all of it.'

interface Words {
  readonly done: string
  readonly would: string
  readonly nothing: string
}

const PUT_IN: Words = {
  done: 'hooks added',
  would: 'would change',
  nothing: 'all is in place, nothing to change',
}

const TAKEN_OUT: Words = {
  done: 'vigil taken out',
  would: 'would change',
  nothing: 'nothing of vigil’s in it',
}

function linesOf(outcome: Outcome, dryRun: boolean, words: Words): string[] {
  const { settings, before, after, changed, backup, warnings } = outcome
  const made = before === undefined ? ' (the file is made)' : ''
  const gone = after === undefined ? ' (the file is removed: vigil made it)' : ''
  const what = changed ? `${dryRun ? words.would : words.done}${made}${gone}` : words.nothing
  const diff = unifiedDiff(settings, before ?? '', after ?? '').trimEnd()
  return [
    `${settings}: ${what}`,
    ...(backup ? [`  as it was: ${backup}`] : []),
    ...warnings.map((warning) => `  warning: ${warning}`),
    ...(changed && dryRun ? diff.split('\n') : []),
  ]
}
