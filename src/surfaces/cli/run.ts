import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import { COMMAND } from '../../client/start.ts'
import { type Folders, foldersOf, privateFolder } from '../../home/folders.ts'
import { rememberedVersion } from '../../install/client-version.ts'
import { runSettings } from '../../install/run-settings.ts'
import { writeHooks } from '../../install/scripts.ts'
import { startTimeOf } from '../../sources/process-table.ts'
import { BadInput } from './bad-input.ts'
import { ASKED_TO_END, startInOurPlace } from './pass-signals.ts'
import { reach } from './reach.ts'

export function addRun(program: Command): void {
  program
    .command('run')
    .description('start an agent that vigil watches; nothing of yours is changed')
    .argument('[command...]', 'the agent and its arguments, after --', ['claude'])
    .passThroughOptions()
    .allowUnknownOption()
    .addHelpText('after', HELP)
    .action((command: string[]) => run(command))
}

const HELP = `
Examples:
  vigil run                       claude, with vigil's hooks for this run alone
  vigil run -- claude --resume
  vigil run -- claude -p "say hello"

Terminal, signals and exit code are the agent's own. The hooks go in with --settings; your settings
files are not touched, and a --settings of yours is kept.`

/** The end of the agent is told before we end too, but its user does not wait for that. */
const FAREWELL_MAX_MS = 500

async function run(command: readonly string[]): Promise<void> {
  const [program = 'claude', ...args] = command
  const folders = foldersOf()
  const settings = settingsFor(folders, program, args)
  const start = () => spawn(program, settings.args, { stdio: 'inherit' })
  const child = startInOurPlace(start, PASSED_SIGNALS, isForUsAlone)
  const daemon = reach(folders).catch(() => undefined)
  const told = tellOf(child, daemon)
  const { code, signal } = await endOf(child, program)
  settings.remove()
  await told.end()
  leave(code, signal)
}

/** One settings file for this run, with the user's own `--settings` taken into it. */
function settingsFor(folders: Folders, program: string, given: readonly string[]) {
  privateFolder(folders.run)
  const { hook } = writeHooks(folders, { node: process.execPath, vigil: COMMAND })
  const version = rememberedVersion(program, process.env, join(folders.cache, 'client.json'))
  const { own, args } = ownSettingsIn(given)
  const settings = runSettings({ hook, version, own, cwd: process.cwd(), env: process.env })
  const path = join(folders.run, `settings-${process.pid}.json`)
  writeFileSync(path, JSON.stringify(settings), { mode: 0o600 })
  const remove = () => rmSync(path, { force: true })
  process.on('exit', remove)
  return { args: ['--settings', path, ...args], remove }
}

/** The client takes the last of several. */
export function ownSettingsIn(given: readonly string[]) {
  const args: string[] = []
  let own: string | undefined
  for (let i = 0; i < given.length; i++) {
    const arg = given[i] as string
    if (arg === '--') return { own, args: [...args, ...given.slice(i)] }
    if (arg === '--settings' && i + 1 < given.length) own = given[++i]
    else if (arg.startsWith('--settings=')) own = arg.slice('--settings='.length)
    else args.push(arg)
  }
  return { own, args }
}

/** Its first word and its last, at once; what comes between its hooks tell. */
function tellOf(child: ChildProcess, daemon: Promise<Client | undefined>) {
  const { pid } = child
  const start = pid === undefined ? undefined : startTimeOf(pid)
  const tell = async (fields: object) => {
    const report = { t: Date.now(), source: 'process' as const, pid, start, ...fields }
    await (await daemon)?.post({ report })
  }
  if (pid !== undefined)
    void tell({ alive: true, command: 'claude', cwd: process.cwd() }).catch(() => {})
  return {
    end: async () => {
      const late = new Promise((resolve) => setTimeout(resolve, FAREWELL_MAX_MS).unref())
      const { exitCode: code, signalCode: signal } = child
      await Promise.race([tell({ alive: false, code, signal }).catch(() => {}), late])
    },
  }
}

const PASSED_SIGNALS = [...ASKED_TO_END, 'SIGUSR1', 'SIGUSR2', 'SIGCONT'] as const

/** The terminal sends Ctrl-C and Ctrl-\ to all in the foreground, the agent among them. */
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

/** As the agent ended: by the same signal, or with its code. */
function leave(code: number | null, signal: NodeJS.Signals | null): void {
  if (signal) {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }
  process.exit(code ?? 1)
}
