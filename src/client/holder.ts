import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, constants, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SMALL_HEAP } from '../home/daemon-command.ts'
import { daemonEnv } from '../home/daemon-env.ts'
import type { Folders } from '../home/folders.ts'
import { writePrivate } from '../home/private-file.ts'
import { environmentOf } from '../install/scripts.ts'
import { isProcess, startTimeOf } from '../platform/process-table.ts'

const SCRIPT = fileURLToPath(new URL('../../hook/vigil-holder', import.meta.url))

interface Holder {
  readonly pid: number
  /** The name of the hold, and of its pipe. */
  readonly id: string
}

export function newHoldId(): string {
  return randomBytes(16).toString('hex')
}

/** A holder uses this form for its socket names; no socket unit does. */
export function isHoldId(name: string): boolean {
  return /^[0-9a-f]{32}$/.test(name)
}

/** Contains the process id, the name of the hold and the start time of the process. */
function fileOf({ run }: Folders): string {
  return join(run, 'holder.pid')
}

/** The process that holds the page's sockets, if it runs. */
export function holderOf(folders: Folders): Holder | undefined {
  try {
    const text = readFileSync(fileOf(folders), 'utf8')
    const [, pid, id = '', start] = /^(\d+) (\S+) (.+)\n$/.exec(text) ?? []
    if (start === undefined || !isHoldId(id) || !isProcess(Number(pid), start)) return undefined
    return { pid: Number(pid), id }
  } catch {
    return undefined
  }
}

/**
 * SPEC OC3. Starts a process that keeps the sockets open when this process ends, however it ends.
 * It has its own session, no file descriptors but these, and the environment of a daemon.
 */
export function startHolder(folders: Folders, fds: readonly number[], id: string): void {
  endHolder(folders)
  const child = spawn('/bin/sh', [SCRIPT, folders.run, id, String(fds.length), SMALL_HEAP], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', ...fds],
    env: { ...daemonEnv(process.env), ...environmentOf(folders) },
  })
  child.once('error', () => {})
  child.unref()
  if (child.pid === undefined) return
  writePrivate(fileOf(folders), `${child.pid} ${id} ${startTimeOf(child.pid) ?? '-'}\n`)
}

/** Closes the sockets. Browsers that signed in under their address are then signed out. */
export function endHolder(folders: Folders): boolean {
  const holder = holderOf(folders)
  const isAsked = holder !== undefined && say(folders, holder, ['end'])
  rmSync(fileOf(folders), { force: true })
  return isAsked
}

/** A daemon that the holder starts writes here why it could not start. */
export function startErrorFile({ run }: Folders): string {
  return join(run, `said-${randomBytes(4).toString('hex')}`)
}

/**
 * Makes the holder start a daemon, which listens on the held sockets; false if there is no holder.
 */
export function startByHolder(folders: Folders, command: readonly string[]): boolean {
  const holder = holderOf(folders)
  return holder !== undefined && say(folders, holder, ['start', ...command])
}

/** One line in one write, because several processes may write. */
function say({ run }: Folders, { id }: Holder, words: readonly string[]): boolean {
  if (words.some((word) => /[\t\n]/.test(word))) return false
  try {
    // Without a reader, opening fails instead of blocking.
    const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
    const pipe = openSync(join(run, `holder-${id}`), flags)
    try {
      return writeSync(pipe, `${words.join('\t')}\n`) > 0
    } finally {
      closeSync(pipe)
    }
  } catch {
    return false
  }
}
