import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import type { Command } from 'commander'
import type { Agent } from '../../agents/agent.ts'
import { AGENTS, agentOf } from '../../agents/index.ts'
import type { Client } from '../../client/client.ts'
import { COMMAND } from '../../client/start.ts'
import { type Folders, foldersOf, privateFolder } from '../../home/folders.ts'
import { isInPath } from '../../install/client.ts'
import { rememberedVersion } from '../../install/client-version.ts'
import { readSettingsFile } from '../../install/files.ts'
import { ownPathsOf, sha256Of } from '../../install/plan.ts'
import { writeHook } from '../../install/scripts.ts'
import { startTimeOf } from '../../platform/process-table.ts'
import { BadInput } from './bad-input.ts'
import { ALL_EVENTS, agentOption } from './option-words.ts'
import { err } from './output.ts'
import { END_SIGNALS, startInOurPlace } from './pass-signals.ts'
import { reach } from './reach.ts'

export function addRun(program: Command): void {
  program
    .command('run')
    .description('start an agent with vigil’s hooks, without changing your settings')
    .addOption(agentOption(program, 'which agent it is, if its command does not show it', AGENTS))
    .option('--all-events', ALL_EVENTS)
    .argument('[command...]', 'the agent’s command and arguments, after --')
    .passThroughOptions()
    .allowUnknownOption()
    .addHelpText('after', help())
    .action((command: string[], options: RunOptions) => run(command, options))
}

interface RunOptions {
  readonly agent?: string
  readonly allEvents?: boolean
}

function help(): string {
  const [first] = AGENTS
  const { command = '', id = '' } = first ?? {}
  return `
Examples:
  vigil run                       start your agent, with vigil's hooks for this run only
  vigil run -- ${command}
  vigil run --agent ${id} -- ./my-wrapper

The agent uses your terminal, signals and exit code as usual. The hooks apply to this run only: your
settings files do not change, and settings that you pass as arguments are kept.`
}

/**
 * The end of the agent is reported before this process ends, but the user waits no longer than
 * this.
 */
const FAREWELL_MAX_MS = 500

async function run(command: readonly string[], options: RunOptions): Promise<void> {
  const { agent: id, allEvents } = options
  const [program = usualAgent(id)?.command ?? '', ...args] = command
  const agent = agentFor(program, args, id)
  const folders = foldersOf()
  const hooked = withHooks(agent, folders, [program, ...args], allEvents)
  const start = () => spawn(program, hooked.args, { stdio: 'inherit' })
  const child = startInOurPlace(start, PASSED_SIGNALS, isForUsAlone)
  const daemon = reach(folders).catch(() => undefined)
  const told = tellOf(agent, child, daemon)
  const { code, signal } = await endOf(child, program)
  hooked.remove()
  await told.end()
  leave(code, signal)
}

/** The named agent, or else the first whose program is installed. */
function usualAgent(id: string | undefined): Agent | undefined {
  if (id !== undefined) return agentOf(id)
  return AGENTS.find(({ command }) => isInPath(command, process.env)) ?? AGENTS[0]
}

/** SPEC AG5. By the program and its arguments, unless the user names the agent. */
export function agentFor(program: string, args: readonly string[], id: string | undefined): Agent {
  const agent =
    id !== undefined
      ? agentOf(id)
      : (AGENTS.find(({ command }) => command === basename(program)) ??
        AGENTS.find(({ recognise }) => recognise([program, ...args]) !== undefined))
  if (agent) return agent
  const known = AGENTS.map(({ command }) => command).join(', ')
  throw new BadInput(
    `${program}: vigil does not know which agent this is (it knows ${known}). Name it: ` +
      `vigil run --agent ${AGENTS[0]?.id} -- ${program}`,
  )
}

/** The agent's own way to use hooks for one run; without one it is watched all the same. */
function withHooks(
  agent: Agent,
  folders: Folders,
  [program, ...given]: readonly [string, ...string[]],
  allEvents: boolean | undefined,
) {
  if (!agent.run) return { args: given, remove: () => {} }
  privateFolder(folders.run)
  writeHook(folders, agent.id, { node: process.execPath, vigil: COMMAND })
  const { env } = process
  const file = join(folders.run, `settings-${process.pid}.json`)
  const { args, text, lacks } = agent.run(given, {
    home: agent.homes(env, env.HOME || homedir())[0] ?? '',
    version: rememberedVersion(program, env, join(folders.cache, 'clients.json')),
    own: ownPathsOf(agent.id, folders),
    sha256: sha256Of,
    cwd: process.cwd(),
    allEvents,
    env,
    read: (path) => readSettingsFile(path).text,
    file,
  })
  if (lacks !== undefined) err.line(`vigil: ${lacks}`)
  const remove = () => rmSync(file, { force: true })
  if (text !== undefined) {
    writeFileSync(file, text, { mode: 0o600 })
    process.on('exit', remove)
  }
  return { args, remove }
}

/** Reports the start and the end of the agent at once; its hooks report the rest. */
function tellOf(agent: Agent, child: ChildProcess, daemon: Promise<Client | undefined>) {
  const { pid } = child
  const start = pid === undefined ? undefined : startTimeOf(pid)
  const tell = async (fields: object) => {
    const { id } = agent
    const report = { t: Date.now(), source: 'process' as const, agent: id, pid, start, ...fields }
    await (await daemon)?.post({ report })
  }
  if (pid !== undefined)
    void tell({ alive: true, command: agent.command, cwd: process.cwd() }).catch(() => {})
  return {
    end: async () => {
      const late = new Promise((resolve) => setTimeout(resolve, FAREWELL_MAX_MS).unref())
      const { exitCode: code, signalCode: signal } = child
      await Promise.race([tell({ alive: false, code, signal }).catch(() => {}), late])
    },
  }
}

const PASSED_SIGNALS = [...END_SIGNALS, 'SIGUSR1', 'SIGUSR2', 'SIGCONT'] as const

/** The terminal sends Ctrl-C and Ctrl-\ to every process in the foreground, the agent included. */
function isForUsAlone(signal: NodeJS.Signals): boolean {
  return !process.stdin.isTTY || (signal !== 'SIGINT' && signal !== 'SIGQUIT')
}

function endOf(child: ChildProcess, program: string) {
  type End = { readonly code: number | null; readonly signal: NodeJS.Signals | null }
  return new Promise<End>((resolve, reject) => {
    child.on('exit', (code, signal) => resolve({ code, signal }))
    child.on('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'no such command in PATH' : error.message
      reject(new BadInput(`${program}: ${why}`, error.code === 'ENOENT' ? 127 : 126))
    })
  })
}

/** Ends as the agent ended: by the same signal, or with its exit code. */
function leave(code: number | null, signal: NodeJS.Signals | null): void {
  if (signal) {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }
  process.exit(code ?? 1)
}
