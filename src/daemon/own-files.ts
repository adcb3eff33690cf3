import { lstatSync } from 'node:fs'
import { pidFileOf } from '../home/daemon-files.ts'
import type { Folders } from '../home/folders.ts'
import { fileMark } from '../store/counts.ts'

/** How long a command may find no daemon. */
const LOOK_MS = 1_000

/**
 * Watches the daemon's lock, its announcement and its log. Once one of them is replaced or removed,
 * clients cannot find this daemon, or readers not what it writes; it then ends and makes room for a
 * new one.
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

/** Written only once: another time means another content. */
function contentMarkOf(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}:${found.mtimeMs}`
}
