import { type OnFolderEvent, PolledFolder } from './polled-folder.ts'

/** SPEC PT5. The longest delay for events without a hook, such as Esc. */
const LOOK_BUSY_MS = 250
/** While clients run and none is busy: polling more often would drain a battery. */
const LOOK_MS = 500
/** Without clients nothing changes; a hook that starts wakes the daemon. */
const LOOK_IDLE_MS = 2_000
/** After a hook: the client writes its own files within these, before or after the hook's end. */
const AGAIN_MS = [40, 120, 300]
/** Folders of closed sessions, per look: a few microseconds. */
const TURNS_MAX = 50

/** All polled folders, on one timer. */
export class FolderPolling {
  readonly #folders = new Set<PolledFolder>()
  #turns: Iterator<PolledFolder> = this.#folders.values()
  #timer: NodeJS.Timeout | undefined
  #again: readonly NodeJS.Timeout[] = []
  /** Whether an agent works or waits, and whether a client runs. */
  isAnyBusy: () => boolean = () => false
  isAnyRunning: () => boolean = () => true
  beforeLook: () => void = () => {}

  add(path: string, isOneOfMany: boolean, onEvent: OnFolderEvent) {
    const folder: PolledFolder = new PolledFolder(path, isOneOfMany, (type, name) => {
      if (this.#folders.has(folder)) onEvent(type, name)
    })
    this.#folders.add(folder)
    this.#schedule()
    return {
      follow: (name: string) => folder.follow(name),
      close: () => {
        this.#folders.delete(folder)
      },
    }
  }

  /** A hook ran: looks at once, and again soon. */
  wake(): void {
    for (const timer of this.#again) clearTimeout(timer)
    this.#again = AGAIN_MS.map((ms) => setTimeout(() => this.#lookAtWarm(), ms).unref())
    this.#lookAtWarm()
  }

  look(): void {
    this.#lookAtWarm()
    for (let count = Math.min(TURNS_MAX, this.#folders.size); count > 0; count--) {
      const folder = this.#next()
      if (folder && !folder.isWarm) folder.look()
    }
  }

  #lookAtWarm(): void {
    this.beforeLook()
    for (const folder of [...this.#folders])
      if (folder.isWarm && this.#folders.has(folder)) folder.look()
  }

  #next(): PolledFolder | undefined {
    const { done, value } = this.#turns.next()
    if (!done) return value
    this.#turns = this.#folders.values()
    return this.#turns.next().value
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#folders.size === 0) return
    const restMs = this.isAnyRunning() ? LOOK_MS : LOOK_IDLE_MS
    const everyMs = this.isAnyBusy() ? LOOK_BUSY_MS : restMs
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.look()
      this.#schedule()
    }, everyMs).unref()
  }
}
