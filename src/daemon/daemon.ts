import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { connect } from '../client/client.ts'
import type { SurfaceTable } from '../client/surface-context.ts'
import { announce, type DaemonIdentity, runningDaemon, withdraw } from '../home/daemon-files.ts'
import { type Folders, privateFolder } from '../home/folders.ts'
import { assertOwnFolder } from '../home/own-socket.ts'
import type { AdminPolicy } from '../home/policy.ts'
import { isNewer, ownVersion } from '../home/version.ts'
import { isProcess, startTimeOf } from '../platform/process-table.ts'
import { trustedPath } from '../platform/programs.ts'
import { isDamage } from '../store/errors.ts'
import { assemble } from './assemble.ts'
import { surfaceAtFault } from './attach.ts'
import { Lock } from './lock.ts'
import { openLog } from './log.ts'
import type { GivenSockets } from './origin/given-sockets.ts'
import { OwnFilesWatch } from './own-files.ts'
import type { PlayedHooks } from './played.ts'

export interface DaemonOptions {
  readonly folders: Folders
  readonly env: Readonly<Record<string, string | undefined>>
  /** A copy of the log, for a daemon in the foreground. */
  readonly alsoTo?: NodeJS.WritableStream
  readonly port?: number
  /** Listening sockets that a holder kept open since the previous daemon. */
  readonly sockets?: GivenSockets | undefined
  /** Parts that act on what the daemon knows: tmux, notifications. */
  readonly attach?: SurfaceTable
  /** The machine administrator's policy; tests pass another. */
  readonly policy?: AdminPolicy
  /** All sessions are played: nothing of the machine is watched, and these hooks are answered. */
  readonly playedHooks?: PlayedHooks
  /** What its sessions name as their host; the name of the machine, unless given. */
  readonly host?: string
}

/**
 * Watches until it is asked to end. If another daemon runs, returns that one; an older one is asked
 * to end first.
 */
export async function runDaemon(options: DaemonOptions): Promise<DaemonIdentity | undefined> {
  const { folders } = options
  // Files that libraries write must be private too.
  process.umask(0o077)
  // SPEC PF3. For all child processes, including those of libraries.
  process.env.PATH = trustedPath()
  for (const folder of [folders.data, folders.state, folders.run, dirname(folders.socket)])
    privateFolder(folder)
  // Clients connect only to a socket in a folder of their own user.
  assertOwnFolder(dirname(folders.socket))
  const lock = await lockOrWho(folders)
  if (!(lock instanceof Lock)) return lock
  const log = openLog(folders.log, options.alsoTo)
  try {
    await stay(options, log)
    return undefined
  } catch (error) {
    log.fatal({ err: error }, 'the daemon cannot continue')
    throw error
  } finally {
    // If the folder was removed and created again, its files belong to another daemon.
    if ((liveDaemon(folders)?.pid ?? process.pid) === process.pid) withdraw(folders)
    lock.release()
  }
}

/** A disk that damages every log is left alone after this: it is reported, and vigil continues. */
const REBUILDS_MAX = 3

/** Runs until it is asked to end; rebuilds a damaged log and continues. */
async function stay(options: DaemonOptions, log: Logger): Promise<void> {
  const { folders } = options
  const ending = endOf()
  let onDamaged = () => {}
  process.on('uncaughtException', (error) => {
    if (isDamage(error)) return onDamaged()
    const failed = surfaceAtFault()
    if (failed) return failed(error)
    log.fatal({ err: error }, 'the daemon cannot continue')
    process.exit(1)
  })
  for (let rebuilds = 0; ; rebuilds++) {
    const damaged = Promise.withResolvers<undefined>()
    onDamaged = () => rebuilds < REBUILDS_MAX && damaged.resolve(undefined)
    const course = { end: ending.end, onDamaged: () => onDamaged(), checkWhole: rebuilds > 0 }
    // A daemon that is assembled again has closed its given sockets.
    const given = rebuilds > 0 ? { ...options, sockets: undefined } : options
    const daemon = await assemble(given, log, course)
    const { port } = daemon
    const who = { pid: process.pid, start: startTimeOf(process.pid), version: ownVersion() }
    announce(folders, { ...who, port, startedAt: Date.now() })
    const ownFiles = new OwnFilesWatch(folders, ending.end)
    log.info({ ...who, port, replayed: daemon.replayed }, 'watching')
    const why = await Promise.race([ending.ended, damaged.promise])
    log.info({ why: why ?? 'the log is damaged and must be rebuilt' }, 'ending')
    ownFiles.stop()
    await daemon.close()
    if (why !== undefined) return
  }
}

/** Another daemon holds the lock and has not announced itself yet. */
const STARTING: DaemonIdentity = {
  pid: 0,
  start: undefined,
  version: 'starting',
  port: 0,
  startedAt: 0,
}

/** A daemon starts or ends within two seconds; a slower one is left alone. */
const WAIT_MAX_MS = 10_000

/** The lock, or its owner: an older daemon is asked to end, a starting one is waited for. */
async function lockOrWho(folders: Folders): Promise<Lock | DaemonIdentity> {
  let asked = false
  for (const giveUpAt = Date.now() + WAIT_MAX_MS; ; await sleep(20)) {
    const lock = Lock.take(folders.lock)
    if (lock) return lock
    const present = liveDaemon(folders)
    if (present && !isNewer(ownVersion(), present.version)) return present
    if (Date.now() > giveUpAt) return present ?? STARTING
    if (!present || asked) continue
    asked = true
    await connect(folders)
      .stop(`version ${ownVersion()} takes over`)
      .catch(() => {})
  }
}

/** Only if the announced process is the same: `kill -9` leaves its announcement behind. */
function liveDaemon(folders: Folders): DaemonIdentity | undefined {
  const who = runningDaemon(folders)
  return who?.start !== undefined && isProcess(who.pid, who.start) ? who : undefined
}

/** The first reason ends it; a second signal does not interrupt the final writes. */
function endOf(): { readonly ended: Promise<string>; readonly end: (why: string) => void } {
  const { promise, resolve } = Promise.withResolvers<string>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => resolve(signal))
  return { ended: promise, end: resolve }
}
