import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { type Folders, foldersOf } from '../../home/folders.ts'
import { readSettings, type SettingsPatch, writeSettings } from '../../home/settings.ts'
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
    .description('agents in window names and the status line of every tmux server of yours')
    .addHelpText('after', HELP)
  tmux
    .command('on')
    .description('show them, now and whenever the daemon runs')
    .addOption(
      new Option('--mode <mode>', 'when names change; marks changes none').choices(TMUX_MODES),
    )
    .addOption(new Option('--glyphs <set>', 'signs').choices(['emoji', 'ascii', 'nerd']))
    .option('--template <text>', 'a name, with {sign} {name} {project} {branch} {title} {state}')
    .action((options: Options) => on(options))
  tmux.command('off').description('every name as it was before').action(off)
  tmux
    .command('status')
    .description('which servers show what')
    .option('--json', 'for programs')
    .action((options: Options) => status(options))
}

const HELP = `
Without a command: vigil tmux status.

Modes:
  needs      a name changes when its agent needs you, goes on, or has ended its turn (the default)
  marks      no name changes; a window whose agent needs you is coloured in the status line
  stop-only  names change at the end of turns alone
  real-time  names change with everything an agent does

Your own window names, and tmux's automatic ones, come back when an agent ends, on \`off\`, and when
vigil ends, however that ends. A window you rename keeps your name.`

/** Suggestions for ~/.tmux.conf; vigil applies none of them. */
export const SUGGESTED: readonly string[] = [
  "set -ag status-right ' #{@vigil_segment}'",
  `bind-key a run-shell -b "vigil next --client '#{client_name}'"`,
]

const RENAMED: readonly string[] = [
  'Windows with an agent are renamed. A command that names one, such as',
  '`tmux send-keys -t session:window`, must use its index or id (@1) instead.',
  '`vigil tmux on --mode marks` renames nothing and colours windows that need you.',
]

async function on({ mode, glyphs, template }: Options): Promise<void> {
  const version = await tmuxVersion()
  if (version === undefined) throw new BadInput('there is no tmux on this machine', 1)
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
    `tmux: on, ${tmux.mode}, ${tmux.glyphs}`,
    '',
    ...(tmux.mode === 'marks' || !tmux.names ? [] : [...RENAMED, '']),
    'For your ~/.tmux.conf, if you like: the fleet in figures, and a key to who needs you.',
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
    throw new BadInput(`could not be given back everything: ${left.map(at).join(', ')}`, 1)
  out.lines(['tmux: off, every name as it was'])
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
    `tmux: ${tmux.on ? 'on' : 'off'}, ${tmux.mode}, ${tmux.glyphs}`,
    ...(version === null ? ['there is no tmux on this machine'] : []),
    ...(tmux.on && !daemon ? ['no daemon runs, so nothing is shown; any command starts one'] : []),
    ...states.map(lineOf),
  ])
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
