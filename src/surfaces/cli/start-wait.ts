import { startProgress } from '../../home/daemon-files.ts'
import type { Folders } from '../../home/folders.ts'

/**
 * A daemon with a large log replays for a second or two and reports its progress; a daemon that is
 * silent for longer does not start.
 */
export const START_MAX_MS = 15_000
/** After this time users want to know what they wait for. */
const SAY_MS = 2_000

/** SPEC LI5. Waits as long as a start makes progress, and prints what it does. */
export class StartWait {
  readonly #folders: Folders
  readonly #say: (words: string) => void
  readonly #now: () => number
  readonly #begun: number
  #giveUpAt: number
  #seen: string | undefined

  constructor(folders: Folders, say: (words: string) => void, now = Date.now) {
    this.#folders = folders
    this.#say = say
    this.#now = now
    this.#begun = now()
    this.#giveUpAt = this.#begun + START_MAX_MS
  }

  isOver(): boolean {
    const progress = startProgress(this.#folders)
    const seen = progress && `${progress.done} of ${progress.of} sessions`
    if (seen !== undefined && seen !== this.#seen) {
      this.#seen = seen
      this.#giveUpAt = this.#now() + START_MAX_MS
      const isLong = progress !== undefined && progress.of > 0
      if (isLong && this.#now() - this.#begun > SAY_MS)
        this.#say(`the daemon is starting: ${seen}…`)
    }
    return this.#now() >= this.#giveUpAt
  }
}
