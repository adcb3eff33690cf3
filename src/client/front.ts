import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { runningDaemon } from '../home/daemon-files.ts'
import type { Folders } from '../home/folders.ts'
import { startByHolder, startErrorFile } from './holder.ts'
import { COMMAND, type Left, leftBy, RUNS_ALREADY } from './start.ts'

/**
 * SPEC OC3. The holder starts the daemon, and this process acts as if it were the daemon: it passes
 * signals on, prints the log and ends with it. Only a child of the holder can inherit the sockets
 * that browsers signed in under. Undefined if no holder could start a daemon.
 */
export async function daemonInFront(
  folders: Folders,
  print: ((text: string) => void) | undefined,
): Promise<Left | undefined> {
  const said = startErrorFile(folders)
  const log = new Tail(folders.log)
  const words = [process.execPath, COMMAND, said, String(process.pid)]
  if (!startByHolder(folders, words)) return undefined
  let begun: number | undefined
  let isTold = false
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      isTold = true
      if (begun !== undefined) end(begun)
    })
  const left = await leftBy(said, (pid) => {
    if (begun === undefined && isTold) end(pid)
    begun = pid
    const more = log.more()
    if (more !== '') print?.(more)
  })
  if (begun === undefined) return undefined
  if (left.said.includes(RUNS_ALREADY) || isTold) return left
  // A daemon that was asked to end has removed its file: a supervisor need not restart it.
  return runningDaemon(folders)?.pid === begun ? { ...left, code: 1 } : left
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    // The process has just ended.
  }
}

/** More log than a daemon writes between two reads. */
const READ_MAX_BYTES = 1_000_000

/** Reads what is appended to a log; after a rotation it continues in the next file. */
class Tail {
  readonly #path: string
  #file = 0
  #at = 0

  constructor(path: string) {
    this.#path = path
    const found = statSync(path, { throwIfNoEntry: false })
    if (found) [this.#file, this.#at] = [found.ino, found.size]
  }

  more(): string {
    try {
      const fd = openSync(this.#path, 'r')
      try {
        const { ino } = fstatSync(fd)
        if (ino !== this.#file) [this.#file, this.#at] = [ino, 0]
        const bytes = Buffer.alloc(READ_MAX_BYTES)
        const count = readSync(fd, bytes, 0, READ_MAX_BYTES, this.#at)
        // Whole lines only: a character may have several bytes.
        const until = bytes.subarray(0, count).lastIndexOf('\n') + 1
        this.#at += until
        return bytes.toString('utf8', 0, until)
      } finally {
        closeSync(fd)
      }
    } catch {
      return ''
    }
  }
}
