import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { shellPartOf } from '../agents/hook-script.ts'
import { agentOf, UNNAMED_AGENT } from '../agents/index.ts'
import { shellQuoted } from '../core/shell-word.ts'
import { daemonVariables } from '../home/daemon-env.ts'
import { type Folders, privateFolder } from '../home/folders.ts'
import { fileText } from '../home/plain-file.ts'
import { writePrivate } from '../home/private-file.ts'
import { UPTIME_FILE } from '../platform/boot.ts'
import { trustedPath } from '../platform/programs.ts'
import { IS_PORTABLE } from '../platform/system.ts'

export interface HookOptions {
  /** The agent that runs the script; by default the first. */
  readonly agent?: string
  readonly spool: string
  readonly run: string
  /** The daemon's socket; in `run` unless that path is too long. */
  readonly socket?: string
  /** The Node and the `bin/vigil.js` that start the daemon; `answer.js` is beside it. */
  readonly node: string
  readonly vigil: string
  /** SPEC PF3. Where the script and the daemon look for programs: never an agent's PATH. */
  readonly path?: string
  /** Variables that the daemon needs to find the same folders. */
  readonly environment?: Readonly<Record<string, string>>
}

export interface ScriptOptions {
  readonly node: string
  readonly vigil: string
  /** Where hooks look for programs; omit it to keep the present value. */
  readonly path?: string
}

/**
 * The path of an agent's hook script. The first agent's has the name that existing settings use.
 */
export function hookOf({ hooks }: Folders, agent: string): string {
  return join(hooks, agent === UNNAMED_AGENT ? 'vigil-hook' : `vigil-hook-${agent}`)
}

/** Replaces a changed script in one step, so that a running hook never reads half of it. */
export function writeHook(folders: Folders, agent: string, options: ScriptOptions): string {
  const hook = hookOf(folders, agent)
  privateFolder(folders.hooks)
  writeScript(hook, renderedHook(folders, agent, options))
  return hook
}

/** The hook script that this version of vigil would write. */
export function renderedHook(folders: Folders, agent: string, options: ScriptOptions): string {
  const { path = hookPath(hookOf(folders, agent)), ...start } = options
  const { spool, run, socket } = folders
  const environment = environmentOf(folders)
  return renderHook({ agent, spool, run, socket, ...start, path, environment })
}

/** Writes another script beside the agent's hook, from the template of its name. */
export function writeTemplate(
  { hooks, spool: SPOOL }: Folders,
  agent: string,
  name: string,
  values: Values,
): void {
  privateFolder(hooks)
  writeScript(join(hooks, name), renderTemplate(name, { SPOOL, ...values }, agent))
}

type Values = Readonly<Record<string, string>>

/**
 * SPEC PF3. PATH is where the script looks for programs; the programs it runs get the client's own
 * PATH.
 */
export function renderTemplate(name: string, values: Values, agent?: string): string {
  const all = { PATH: trustedPath(), ...values }
  const words = Object.entries(all).map(([key, word]) => [key, [word]])
  return render(name, Object.fromEntries(words), agent)
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
      UPTIME: [UPTIME_FILE],
      VARIABLES: daemonVariables(),
      ENVIRONMENT: assignmentsOf(options.environment ?? {}),
    },
    options.agent,
  )
}

/** A command that runs this vigil with these folders, from anywhere. */
export function renderSelf(folders: Folders, { node, vigil }: ScriptOptions): string {
  const ENVIRONMENT = assignmentsOf(environmentOf(folders))
  return render('vigil-self', { NODE: [node], VIGIL: [vigil], ENVIRONMENT })
}

/**
 * A client that is started elsewhere has other XDG variables, or no VIGIL_HOME. A daemon that its
 * hook starts must still read the spool that the hook writes. An empty variable counts as unset.
 */
export function environmentOf(folders: Folders): Record<string, string> {
  return { ...folderVariables(folders), ...(IS_PORTABLE && { VIGIL_PORTABLE: '1' }) }
}

function folderVariables(folders: Folders): Record<string, string> {
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

const templates = new URL('../../hook/', import.meta.url)

/** Fills in a template: its part, and the quoted value of each `'@PLACE@'`. */
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
      if (!words) throw new Error(`hook/${name}: ${place} has no value to fill in`)
      return words.map(shellQuoted).join(' ')
    })
}

function agentPart(id: string): string {
  const agent = agentOf(id)
  if (!agent?.hook) throw new Error(`${id}: has no hooks`)
  return shellPartOf({ id, session: agent.variables.session, script: agent.hook })
}

/** The PATH of an installed hook script; otherwise the present one. */
export function hookPath(hook: string): string {
  const found = /^path='((?:[^']|'\\'')*)'$/m.exec(fileText(hook) ?? '')
  return found?.[1]?.replaceAll("'\\''", "'") ?? trustedPath()
}

const SCRIPT_MODE = 0o700

function writeScript(path: string, text: string): void {
  if (fileText(path) === text && (statSync(path).mode & 0o777) === SCRIPT_MODE) return
  writePrivate(path, text, SCRIPT_MODE)
}
