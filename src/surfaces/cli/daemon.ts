import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { startDetached } from '../../daemon/start.ts'
import { holdHooksOff } from '../../daemon/who.ts'
import { foldersOf } from '../../home/folders.ts'
import { BadInput } from './bad-input.ts'
import { reachIfRunning } from './reach.ts'

interface Options {
  readonly detach?: boolean
  readonly quiet?: boolean
  readonly port?: number
}

export function addDaemon(program: Command): void {
  program
    .command('daemon')
    .description('watch every session of this user, and answer who may ask; in the foreground')
    .option('--detach', 'start it in the background and return at once')
    .option('--quiet', 'log to the file only')
    .option('--port <port>', 'listen on this port of 127.0.0.1', parsePort)
    .addHelpText('after', HELP)
    .action((options: Options) => daemon(options))
}

const HELP = `
One daemon runs a user; any command starts it when it is needed. A newer version takes the place of
an older one. SIGTERM and \`vigil stop\` end it; nothing a hook wrote is lost meanwhile.`

async function daemon({ detach, quiet, port }: Options): Promise<void> {
  if (detach) {
    void startDetached()
    return
  }
  const { runDaemon } = await import('../../daemon/daemon.ts')
  const { SURFACES } = await import('../attached.ts')
  const alsoTo = quiet ? undefined : process.stderr
  // Who started it and listened for why it could not may be gone.
  process.stderr.on('error', () => {})
  const outcome = await runDaemon({
    folders: foldersOf(),
    env: process.env,
    attach: SURFACES,
    ...(alsoTo && { alsoTo }),
    ...(port !== undefined && { port }),
  }).catch((error: Error) => {
    throw new BadInput(error.message, 1)
  })
  if (outcome === undefined) return
  process.stderr.write(`vigil: a daemon runs already (pid ${outcome.pid}, ${outcome.version})\n`)
}

export function addStop(program: Command): void {
  program
    .command('stop')
    .description('end the daemon; hooks go on writing, and the next daemon takes it up')
    .addHelpText('after', STOP_HELP)
    .action(stop)
}

const STOP_HELP = `
For half a minute no hook starts another; after that the next event of a session that has hooks
does, and so does any command. \`vigil uninstall\` takes the hooks out.`

const STOP_MAX_MS = 10_000

async function stop(): Promise<void> {
  const folders = foldersOf()
  const client = await reachIfRunning(folders)
  if (!client) {
    process.stdout.write('no daemon runs\n')
    return
  }
  const { pid } = await client.health()
  holdHooksOff(folders)
  await client.stop('vigil stop')
  for (const giveUpAt = Date.now() + STOP_MAX_MS; Date.now() < giveUpAt; await sleep(20)) {
    if (isAlive(pid)) continue
    process.stdout.write(`stopped (pid ${pid})\n`)
    return
  }
  throw new BadInput(`the daemon (pid ${pid}) does not end; kill ${pid} if it must`, 1)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function parsePort(value: string): number {
  const port = Number(value)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new BadInput(`--port ${value}: expected a number from 0 to 65535`)
  return port
}
