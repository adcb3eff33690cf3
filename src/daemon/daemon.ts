import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Folders, privateFolder } from '../home/folders.ts'
import { startTimeOf } from '../sources/process-table.ts'
import { assemble } from './assemble.ts'
import { connect } from './client/client.ts'
import { Lock } from './lock.ts'
import { openLog } from './log.ts'
import { isNewer, ownVersion } from './version.ts'
import { announce, type Who, whoRuns, withdraw } from './who.ts'

export interface DaemonOptions {
  readonly folders: Folders
  readonly env: Readonly<Record<string, string | undefined>>
  /** The log goes here too, for who runs it in the foreground. */
  readonly alsoTo?: NodeJS.WritableStream
  readonly port?: number
}

/**
 * Watches until it is told to end. If another daemon runs, that one is named and this one has
 * nothing to do; unless it is older, then it is asked to make room.
 */
export async function runDaemon(options: DaemonOptions): Promise<Who | undefined> {
  const { folders } = options
  // Whatever a library may write for us is its user's alone, too.
  process.umask(0o077)
  for (const folder of [folders.data, folders.state, folders.run, dirname(folders.socket)])
    privateFolder(folder)
  const lock = await lockOrLeave(folders)
  if (!lock) return whoRuns(folders) ?? STARTING
  const log = openLog(folders.log, options.alsoTo)
  try {
    const ending = endOf()
    const daemon = await assemble(options, log, ending.end)
    const { port } = daemon
    const who = { pid: process.pid, start: startTimeOf(process.pid), version: ownVersion() }
    announce(folders, { ...who, port, startedAt: Date.now() })
    log.info({ ...who, port, replayed: daemon.replayed }, 'watching')
    const why = await ending.ended
    log.info({ why }, 'ending')
    await daemon.close()
    return undefined
  } catch (error) {
    log.fatal({ err: error }, 'the daemon cannot go on')
    throw error
  } finally {
    withdraw(folders)
    lock.release()
  }
}

/** Somebody holds the lock and has not yet said who he is. */
const STARTING: Who = { pid: 0, start: undefined, version: 'starting', port: 0, startedAt: 0 }

/** A daemon ends within two seconds; one that does not is left alone. */
const HANDOVER_MAX_MS = 10_000

async function lockOrLeave(folders: Folders): Promise<Lock | undefined> {
  const lock = Lock.take(folders.lock)
  const running = whoRuns(folders)
  if (lock || !running || !isNewer(ownVersion(), running.version)) return lock
  const client = connect(folders)
  await client.stop(`version ${ownVersion()} takes over`).catch(() => {})
  for (const giveUpAt = Date.now() + HANDOVER_MAX_MS; Date.now() < giveUpAt; await sleep(20)) {
    const freed = Lock.take(folders.lock)
    if (freed) return freed
  }
  return undefined
}

/** Whoever says so first ends it; a second signal does not hurry what must be written. */
function endOf(): { readonly ended: Promise<string>; readonly end: (why: string) => void } {
  const { promise, resolve } = Promise.withResolvers<string>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => resolve(signal))
  return { ended: promise, end: resolve }
}
