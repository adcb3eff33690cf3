import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { whoRuns } from '../home/daemon-files.ts'
import type { Folders } from '../home/folders.ts'
import { saidFileOf, startByHolder } from './holder.ts'
import { COMMAND, type Left, leftBy, RUNS_ALREADY } from './start.ts'

/**
 * SPEC OC3. A daemon that its holder starts, with this process in front of it as if it were the
 * daemon: signals are passed on, the log is printed, and both end together. Only a child of the
 * holder can have the sockets that browsers signed in under. Undefined where no holder could.
 */
export async function daemonInFront(
  folders: Folders,
  print: ((text: string) => void) | undefined,
): Promise<Left | undefined> {
  const said = saidFileOf(folders)
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
  // One that was told to end has withdrawn: a supervisor need not start it again.
  return whoRuns(folders)?.pid === begun ? { ...left, code: 1 } : left
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    // It has just ended.
  }
}

/** More of a log at a time than a daemon writes between two looks. */
const READ_MAX_BYTES = 1_000_000

/** What is added to a log from now on; one that was moved aside goes on in the next. */
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
        // Whole lines: letters may have several bytes.
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
