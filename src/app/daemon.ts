import type { Command } from 'commander'
import { RUNS_ALREADY, startUnheard } from '../client/start.ts'
import { foldersOf } from '../home/folders.ts'
import { BadInput } from '../surfaces/cli/bad-input.ts'
import { err, logStream } from '../surfaces/cli/output.ts'

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
    await startUnheard()
    return
  }
  const { closeInherited } = await import('../daemon/origin/inherited.ts')
  const { takeGivenSockets } = await import('../daemon/origin/given-sockets.ts')
  const sockets = takeGivenSockets(process.env)
  closeInherited(sockets?.fds ?? [])
  const { runDaemon } = await import('../daemon/daemon.ts')
  const { SURFACES } = await import('./surfaces.ts')
  const alsoTo = quiet ? undefined : logStream()
  const outcome = await runDaemon({
    folders: foldersOf(),
    env: process.env,
    attach: SURFACES,
    sockets,
    ...(alsoTo && { alsoTo }),
    ...(port !== undefined && { port }),
  }).catch((error: Error) => {
    err.line(`vigil: ${error.message}`)
    // What it had begun to watch would keep it.
    process.exit(1)
  })
  if (outcome === undefined) return
  err.line(`vigil: ${RUNS_ALREADY} (pid ${outcome.pid}, ${outcome.version})`)
}

function parsePort(value: string): number {
  const port = Number(value)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new BadInput(`--port ${value}: expected a number from 0 to 65535`)
  return port
}
