import { rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hookClock } from '../platform/boot.ts'
import type { Folders } from './folders.ts'
import { jsonInFile } from './plain-file.ts'
import { writePrivate } from './private-file.ts'

/** The daemon's announcement, for programs that look for it without asking it. */
export interface DaemonIdentity {
  readonly pid: number
  /** When its process began, as the system counts it; a pid alone may be reused. */
  readonly start: string | undefined
  readonly version: string
  readonly port: number
  readonly startedAt: number
}

/** For the hook: a line that `sh` can parse. */
export function pidFileOf(folders: Folders): string {
  return join(folders.run, 'daemon.pid')
}

/** Created by the hook that starts a daemon, so that a hundred hooks at once start one. */
function startingFileOf(folders: Folders): string {
  return join(folders.run, 'starting')
}

export function announce(folders: Folders, who: DaemonIdentity): void {
  // An announced daemon is no longer starting.
  rmSync(progressFileOf(folders), { force: true })
  writePrivate(folders.daemonFile, `${JSON.stringify(who)}\n`)
  writePrivate(pidFileOf(folders), `${who.pid} ${who.start ?? '-'}\n`)
  rmSync(startingFileOf(folders), { force: true })
}

/**
 * Hooks start no daemon for the next 30 s. Otherwise the last hook of the next closed session
 * would start a stopped daemon again.
 */
export function holdHooksOff(folders: Folders): void {
  writePrivate(startingFileOf(folders), `${hookClock()}\n`)
}

export function runningDaemon(folders: Folders): DaemonIdentity | undefined {
  return jsonInFile(folders.daemonFile) as DaemonIdentity | undefined
}

export function withdraw(folders: Folders): void {
  for (const file of [folders.daemonFile, pidFileOf(folders)]) rmSync(file, { force: true })
  const place = dirname(folders.socket)
  if (place === folders.run) return
  try {
    // Created only for the socket (CT6).
    rmdirSync(place)
  } catch {
    // Another daemon has its socket there by now.
  }
}

/** SPEC LI5. How far a start has come, for commands that wait for it. */
export interface StartProgress {
  readonly done: number
  readonly of: number
}

function progressFileOf(folders: Folders): string {
  return join(folders.run, 'progress.json')
}

/** A start continues without this file. */
export function writeProgress(folders: Folders, progress: StartProgress): void {
  try {
    writePrivate(progressFileOf(folders), `${JSON.stringify(progress)}\n`)
  } catch {
    // A full disk.
  }
}

export function startProgress(folders: Folders): StartProgress | undefined {
  const { done, of } = (jsonInFile(progressFileOf(folders)) ?? {}) as Partial<StartProgress>
  return typeof done === 'number' && typeof of === 'number' ? { done, of } : undefined
}
