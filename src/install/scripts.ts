import { readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { quoted, shellPartOf } from '../agents/hook-script.ts'
import { agentOf, UNNAMED_AGENT } from '../agents/index.ts'
import { daemonVariables } from '../home/daemon-env.ts'
import { type Folders, privateFolder } from '../home/folders.ts'
import { writePrivate } from '../home/private-file.ts'
import { trustedPath } from '../home/programs.ts'

export interface HookOptions {
  /** The agent that runs it; unless given, the first. */
  readonly agent?: string
  readonly spool: string
  readonly run: string
  /** Where the daemon answers; in `run` unless that has too long a name. */
  readonly socket?: string
  /** The Node and the `bin/vigil.js` that start the daemon, with `answer.js` beside it. */
  readonly node: string
  readonly vigil: string
  /** SPEC PF3. Where the script and the daemon look for programs: never the PATH of an agent. */
  readonly path?: string
  /** What the daemon needs in its environment to find the same folders. */
  readonly environment?: Readonly<Record<string, string>>
}

export interface StatuslineOptions {
  readonly spool: string
  /** The user's own status line command, for `sh -c`. */
  readonly command?: string | null
  /** SPEC PF3. Where the script looks for programs; the user's command has the client's PATH. */
  readonly path?: string
}

export interface ScriptOptions {
  readonly node: string
  readonly vigil: string
  /** The user's own status line command; null for none, left out to keep the present one. */
  readonly statusline?: string | null
  /** Where hooks look for programs; left out to keep the present one. */
  readonly path?: string
}

export interface Scripts {
  readonly hook: string
  readonly statusline: string
}

/** Writes what differs, each file at once, so that a hook under way never runs half a script. */
export function writeHooks(folders: Folders, options: ScriptOptions): Scripts {
  const { node, vigil } = options
  const { spool, run, socket } = folders
  const scripts = scriptsIn(folders)
  const { statusline: command = valueIn(textOf(scripts.statusline), 'vigil_command') } = options
  const { path = hookPath(folders) } = options
  privateFolder(folders.hooks)
  const environment = environmentOf(folders)
  writeScript(scripts.hook, renderHook({ spool, run, socket, node, vigil, path, environment }))
  writeScript(scripts.statusline, renderStatusline({ spool, command, path }))
  return scripts
}

/** Removes the scripts, and their folder if nothing else is in it. */
export function removeHooks(folders: Folders): void {
  for (const path of Object.values(scriptsIn(folders))) rmSync(path, { force: true })
  try {
    rmdirSync(folders.hooks)
  } catch {
    // Not there, or somebody keeps files of their own in it.
  }
}

export function renderHook(options: HookOptions): string {
  const { spool, run, socket = join(run, 'vigil.sock'), node, vigil } = options
  return render(
    'vigil-hook',
    {
      SPOOL: [spool],
      RUN: [run],
      SOCKET: [socket],
      NODE: [node],
      VIGIL: [vigil],
      PATH: [options.path ?? trustedPath()],
      VARIABLES: daemonVariables(),
      ENVIRONMENT: assignmentsOf(options.environment ?? {}),
    },
    options.agent,
  )
}

/** A command that is this vigil, with these folders, wherever it is called. */
export function renderSelf(folders: Folders, { node, vigil }: ScriptOptions): string {
  const ENVIRONMENT = assignmentsOf(environmentOf(folders))
  return render('vigil-self', { NODE: [node], VIGIL: [vigil], ENVIRONMENT })
}

export function renderStatusline(options: StatuslineOptions): string {
  return render('vigil-statusline', {
    SPOOL: [options.spool],
    COMMAND: [options.command ?? ''],
    PATH: [options.path ?? trustedPath()],
  })
}

/**
 * A client started elsewhere has other XDG variables, or no VIGIL_HOME. A daemon that its hook
 * starts must still read the spool which that hook writes. An empty variable counts as unset.
 */
export function environmentOf(folders: Folders): Record<string, string> {
  if (folders.data === folders.state) return { VIGIL_HOME: folders.data }
  const ownRuntime = folders.run !== join(folders.state, 'run')
  return {
    VIGIL_HOME: '',
    XDG_DATA_HOME: dirname(folders.data),
    XDG_STATE_HOME: dirname(folders.state),
    XDG_CONFIG_HOME: dirname(folders.config),
    XDG_CACHE_HOME: dirname(folders.cache),
    XDG_RUNTIME_DIR: ownRuntime ? dirname(folders.run) : '',
  }
}

function assignmentsOf(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment).map(([name, to]) => `${name}=${to}`)
}

function scriptsIn({ hooks }: Folders): Scripts {
  return { hook: join(hooks, 'vigil-hook'), statusline: join(hooks, 'vigil-statusline') }
}

const templates = new URL('../../hook/', import.meta.url)

/** A template with its part in it, and the words of each `'@PLACE@'` in their quotes. */
function render(
  name: string,
  places: Readonly<Record<string, readonly string[]>>,
  agent: string = UNNAMED_AGENT,
): string {
  const part = readFileSync(new URL('report.sh', templates), 'utf8').trimEnd()
  return readFileSync(new URL(name, templates), 'utf8')
    .replace(/^\. \.\/agent\.sh$/m, () => agentPart(agent))
    .replace(/^\. \.\/report\.sh$/m, () => part)
    .replaceAll(/'@([A-Z]+)@'/g, (place, key: string) => {
      const words = places[key]
      if (!words) throw new Error(`hook/${name}: ${place} has nothing to be filled in with`)
      return words.map(quoted).join(' ')
    })
}

function agentPart(id: string): string {
  const agent = agentOf(id)
  if (!agent?.hook) throw new Error(`${id}: has no hooks`)
  return shellPartOf({ id, session: agent.variables.session, script: agent.hook })
}

/** What the installed hook script has; else what holds where we are. */
export function hookPath(folders: Folders): string {
  return valueIn(textOf(scriptsIn(folders).hook), 'path') ?? trustedPath()
}

/** A value in a script that was written before, as the user's own command. */
function valueIn(script: string | undefined, name: 'vigil_command' | 'path'): string | null {
  const found = new RegExp(`^${name}='((?:[^']|'\\\\'')*)'$`, 'm').exec(script ?? '')
  return found?.[1]?.replaceAll("'\\''", "'") ?? null
}

const SCRIPT_MODE = 0o700

function writeScript(path: string, text: string): void {
  if (textOf(path) === text && (statSync(path).mode & 0o777) === SCRIPT_MODE) return
  writePrivate(path, text, SCRIPT_MODE)
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
