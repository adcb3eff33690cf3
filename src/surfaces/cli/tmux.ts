import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { type Folders, foldersOf } from '../../home/folders.ts'
import {
  readSettings,
  type Settings,
  type SettingsPatch,
  writeSettings,
} from '../../home/settings.ts'
import { TMUX_MODES } from '../../home/settings-schema.ts'
import { isTouched, type ServerState, serverStates } from '../tmux/state.ts'
import { sweep } from '../tmux/sweep.ts'
import { BadInput } from './bad-input.ts'
import { out } from './output.ts'
import { reach, reachIfRunning } from './reach.ts'
import { commandGroup } from './shortened.ts'
import { isOldTmux, tmuxVersion } from './tmux-version.ts'

interface Options {
  readonly mode?: (typeof TMUX_MODES)[number]
  readonly glyphs?: 'emoji' | 'ascii' | 'nerd'
  readonly template?: string
  readonly json?: boolean
}

export function addTmux(program: Command): void {
  const tmux = commandGroup(program, 'tmux')
    .description('show agents in the window names and the status line of your tmux servers')
    .addHelpText('after', HELP)
  tmux
    .command('on')
    .description('turn it on, whenever the daemon runs')
    .addOption(
      new Option(
        '--mode <mode>',
        'when window names change; marks changes none; see below',
      ).choices(TMUX_MODES),
    )
    .addOption(new Option('--glyphs <set>', 'signs').choices(['emoji', 'ascii', 'nerd']))
    .option(
      '--template <text>',
      'a window name, with {sign} {name} {project} {branch} {title} {state}',
    )
    .action((options: Options) => on(options))
  tmux.command('off').description('turn it off, and restore every window name').action(off)
  tmux
    .command('status')
    .description('show the settings and what each server shows')
    .option('--json', 'print JSON')
    .action((options: Options) => status(options))
}

const HELP = `
Without a command, this is vigil tmux status.

Modes:
  needs      a name changes when its agent needs you, continues, or ends its turn (the default)
  marks      no name changes; a window whose agent needs you is coloured in the status line
  stop-only  names change at the end of turns only
  real-time  names change with every state of an agent

vigil restores your window names, and tmux's automatic ones, when an agent ends, on off, and when
vigil stops or crashes. A window that you rename keeps your name.`

/** Suggestions for ~/.tmux.conf; vigil applies none of them. */
export const SUGGESTED: readonly string[] = [
  "set -ag status-right ' #{@vigil_segment}'",
  `bind-key a run-shell -b "vigil next --client '#{client_name}'"`,
]

const RENAMED: readonly string[] = [
  'vigil renames windows with an agent. A command that uses a window’s name, such as',
  '`tmux send-keys -t session:window`, must use its index or id (@1) instead.',
  '`vigil tmux on --mode marks` renames nothing, and colours windows that need you.',
]

async function on({ mode, glyphs, template }: Options): Promise<void> {
  const version = await tmuxVersion()
  if (version === undefined) throw new BadInput('tmux is not installed on this machine', 1)
  if (isOldTmux(version)) throw new BadInput(`${version}: vigil needs tmux 3.2 or newer`, 1)
  const folders = foldersOf()
  const chosen: SettingsPatch['tmux'] = {
    on: true,
    ...(mode && { mode }),
    ...(glyphs && { glyphs }),
    ...(template !== undefined && { template }),
  }
  const { tmux } = set(folders, chosen)
  await reach(folders)
  out.lines([
    settingsLine(tmux),
    '',
    ...(tmux.mode === 'marks' || !tmux.names ? [] : [...RENAMED, '']),
    'Optional, for your ~/.tmux.conf: a summary of all agents, and a key for vigil next.',
    ...SUGGESTED.map((line) => `  ${line}`),
  ])
}

const RESTORED_MAX_MS = 5_000

/** A running daemon restores what it changed; the changes of a killed daemon are restored here. */
async function off(): Promise<void> {
  const folders = foldersOf()
  set(folders, { on: false })
  const daemon = await reachIfRunning(folders)
  const sockets = await socketsIn(folders)
  for (const giveUpAt = Date.now() + RESTORED_MAX_MS; daemon && Date.now() < giveUpAt; ) {
    if (!(await serverStates(process.env, sockets)).some(isTouched)) break
    await sleep(50)
  }
  await sweep(sockets, process.env)
  const left = (await serverStates(process.env, sockets)).filter(isTouched)
  if (left.length > 0)
    throw new BadInput(`could not be restored completely: ${left.map(at).join(', ')}`, 1)
  out.lines(['tmux: off; every window has its own name again'])
}

async function status({ json }: Options): Promise<void> {
  const folders = foldersOf()
  const { tmux } = settingsOf(folders)
  const version = (await tmuxVersion()) ?? null
  const sockets = await socketsIn(folders)
  const states = version === null ? [] : await serverStates(process.env, sockets)
  if (json) {
    const servers = states.map(({ seen, ...state }) => ({ ...state, segment: seen.segment }))
    return out.json({ ...tmux, version, servers })
  }
  const daemon = await reachIfRunning(folders)
  out.lines([
    settingsLine(tmux),
    ...(version === null ? ['tmux is not installed on this machine'] : []),
    ...(tmux.on && !daemon ? ['no daemon is running, so nothing is shown; run any command'] : []),
    ...states.map(lineOf),
  ])
}

function settingsLine({ on, mode, glyphs }: Settings['tmux']): string {
  return `tmux: ${on ? 'on' : 'off'} (mode: ${mode}, glyphs: ${glyphs})`
}

function lineOf({ socket, version, seen, named, byHand }: ServerState): string {
  const windows = `${seen.windows.size} windows, ${named} with an agent’s name`
  const hand = byHand > 0 ? `, ${byHand} named by hand` : ''
  return `${socket} (${version}): ${windows}${hand}${seen.segment ? `, ${seen.segment}` : ''}`
}

const at = ({ socket }: ServerState) => socket

/** Servers with other sockets are known by their sessions. */
async function socketsIn(folders: Folders): Promise<string[]> {
  const daemon = await reachIfRunning(folders)
  const listing = await daemon?.sessions().catch(() => undefined)
  return listing?.sessions.flatMap(({ tmuxSocket }) => tmuxSocket ?? []) ?? []
}

function set(folders: Folders, tmux: SettingsPatch['tmux']) {
  return plainly(() => writeSettings(folders, { ...(tmux && { tmux }) }))
}

function settingsOf(folders: Folders) {
  return plainly(() => readSettings(folders))
}

function plainly<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new BadInput((error as Error).message, 1)
  }
}
