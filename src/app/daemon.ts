import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { RUNS_ALREADY, startWithoutWaiting } from '../client/start.ts'
import type { SurfaceTable } from '../client/surface-context.ts'
import { foldersOf } from '../home/folders.ts'
import { servicePort } from '../install/service.ts'
import { BadInput } from '../surfaces/cli/bad-input.ts'
import { err, logStream } from '../surfaces/cli/output.ts'
import { Notifications } from '../surfaces/notify/surface.ts'
import { TmuxSurface } from '../surfaces/tmux/surface.ts'

interface Options {
  readonly detach?: boolean
  readonly quiet?: boolean
  readonly port?: number
  readonly front?: number
}

export function addDaemon(program: Command): void {
  program
    .command('daemon')
    .description(
      'run the daemon, which watches your sessions and serves their states, in the foreground',
    )
    .option('--detach', 'start the daemon in the background and return at once')
    .option('--quiet', 'write the log to its file only')
    .option('--port <port>', 'listen on this port of 127.0.0.1', parsePort)
    .addOption(
      new Option('--front <pid>', 'stop when this process ends').argParser(Number).hideHelp(),
    )
    .addHelpText('after', HELP)
    .action((options: Options) => daemon(options))
}

const HELP = `
One daemon runs for each user, and any command starts it when needed. A newer version replaces an
older one. SIGTERM and \`vigil stop\` stop it. Hooks write to files, so no report is lost meanwhile.

While browsers are signed in, a small process keeps the page's port open across restarts. In the
foreground the daemon then runs as a child of that process; this command prints the daemon's log,
forwards signals and ends with it. If you change --port, those browsers have to sign in again.`

async function daemon({ detach, quiet, port, front }: Options): Promise<void> {
  if (detach) {
    await startWithoutWaiting()
    return
  }
  const { closeInherited } = await import('../platform/inherited.ts')
  const { takeGivenSockets } = await import('../daemon/origin/given-sockets.ts')
  const sockets = takeGivenSockets(process.env)
  closeInherited(sockets?.fds ?? [])
  if (!sockets && !quiet && servicePort(foldersOf()) !== undefined)
    throw new BadInput(IS_SERVICE, 1)
  if (!sockets && (await isInFront(port, quiet))) return
  if (front !== undefined) endWith(front)
  const { runDaemon } = await import('../daemon/daemon.ts')
  const { SURFACES } = await import('./daemon.ts')
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
    // Its watchers would keep the process alive.
    process.exit(1)
  })
  if (outcome === undefined) return
  err.line(`vigil: ${RUNS_ALREADY} (pid ${outcome.pid}, ${outcome.version})`)
}

/**
 * SPEC PF10. A daemon on another port than the unit's would sign out the browsers of the unit's
 * port.
 */
const IS_SERVICE = 'the daemon is a service here. Start it: systemctl --user start vigil.service'

/** SPEC OC3. True if the holder started a daemon and that daemon has ended. */
async function isInFront(port: number | undefined, quiet = false): Promise<boolean> {
  const folders = foldersOf()
  const { readBrowsers } = await import('../daemon/browsers/file.ts')
  const { hold } = readBrowsers(join(folders.state, 'browsers.json'))
  const isElsewhere = port !== undefined && hold && String(port) !== new URL(hold.origin).port
  if (!hold || isElsewhere) return false
  const { daemonInFront } = await import('../client/front.ts')
  const log = quiet ? undefined : logStream()
  const left = await daemonInFront(folders, log && ((text) => void log.write(text)))
  if (!left) return false
  if (left.said !== '') err.line(left.said)
  process.exitCode = left.code ?? 1
  return true
}

const LOOK_MS = 1_000

/** A killed command cannot pass signals on, so the daemon watches for its end. */
function endWith(front: number): void {
  const look = () => {
    try {
      process.kill(front, 0)
    } catch {
      process.kill(process.pid, 'SIGTERM')
    }
  }
  setInterval(look, LOOK_MS).unref()
}

function parsePort(value: string): number {
  const port = Number(value)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new BadInput(`--port ${value}: expected a number from 0 to 65535`)
  return port
}

/** Surfaces that act by themselves in the daemon's process, by their names in the log. */
export const SURFACES: SurfaceTable = {
  notify: (context) => [new Notifications(context, process.env)],
  tmux: (context) => [new TmuxSurface(context)],
}
