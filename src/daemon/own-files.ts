import { lstatSync } from 'node:fs'
import { pidFileOf } from '../home/daemon-files.ts'
import type { Folders } from '../home/folders.ts'
import { fileMark } from '../store/counts.ts'

/** For so long a command may find no daemon. */
const LOOK_MS = 1_000

/**
 * Watches the files by which the daemon is found and locked, and its log. Once one of them is
 * another file or gone, no client finds this daemon, or no reader what it writes; it then makes
 * room for one that starts anew.
 */
export class OwnFilesWatch {
  readonly #timer: NodeJS.Timeout

  constructor(folders: Folders, onLost: (why: string) => void) {
    const { lock, socket, token, daemonFile, database } = folders
    const files = [lock, socket, token, daemonFile, pidFileOf(folders)]
    const before = new Map(files.map((file) => [file, contentMarkOf(file)]))
    const log = fileMark(database)
    this.#timer = setInterval(() => {
      const changed = files.find((file) => contentMarkOf(file) !== before.get(file))
      const lost = changed ?? (fileMark(database) === log ? undefined : database)
      if (lost !== undefined) onLost(`${lost}: was removed or replaced`)
    }, LOOK_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/** Written once and never again: another time is another content. */
function contentMarkOf(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}:${found.mtimeMs}`
}
