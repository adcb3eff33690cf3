import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, constants, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

/** A holder names the sockets so, and no socket unit does. */
export function isHoldId(name: string): boolean {
  return /^[0-9a-f]{32}$/.test(name)
}

/** Process id, name of the hold, start of the process. */
function fileOf({ run }: Folders): string {
  return join(run, 'holder.pid')
}

/** The process that holds the page's sockets, if it lives. */
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
 * SPEC OC3. Starts a process that keeps the sockets open when this one ends, however it ends. It
 * has a session of its own, no file descriptor but these, and the environment of a daemon.
 */
export function startHolder(folders: Folders, fds: readonly number[], id: string): void {
  endHolder(folders)
  const child = spawn('/bin/sh', [SCRIPT, folders.run, id, String(fds.length)], {
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

/** Gives the sockets up; what was signed in under their address is signed out by that. */
export function endHolder(folders: Folders): boolean {
  const holder = holderOf(folders)
  const isAsked = holder !== undefined && say(folders, holder, ['end'])
  rmSync(fileOf(folders), { force: true })
  return isAsked
}

/** Where a daemon that the holder starts says why it cannot. */
export function saidFileOf({ run }: Folders): string {
  return join(run, `said-${randomBytes(4).toString('hex')}`)
}

/** Has the holder start a daemon, which then listens on the sockets it holds; false without one. */
export function startByHolder(folders: Folders, command: readonly string[]): boolean {
  const holder = holderOf(folders)
  return holder !== undefined && say(folders, holder, ['start', ...command])
}

/** One line, written at once: several may write. */
function say({ run }: Folders, { id }: Holder, words: readonly string[]): boolean {
  if (words.some((word) => /[\t\n]/.test(word))) return false
  try {
    // Without a reader this fails instead of waiting for one.
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
