import type { LoggedChange } from '../store/store.ts'
import type { Feed } from './daemon-api.ts'
import { Listeners } from './listeners.ts'

/** Changes in memory: readers that keep up never read the log. */
const AT_HAND_MAX = 2_000

export interface ChangeLog {
  firstChangeId(): number
  lastChangeId(): number
  changesAfter(id: number, limit: number): readonly LoggedChange[]
}

/** All changes in order: the newest from memory, older ones from the log. */
export class ChangeFeed implements Feed {
  readonly #log: ChangeLog
  readonly #listeners = new Listeners<void>()
  #atHand: LoggedChange[] = []
  #lastId: number

  /**
   * Ids continue from the present time in milliseconds: a change that was sent while the log could
   * not be written, and lost with the daemon, has an id that is never used again (SPEC D9).
   */
  constructor(log: ChangeLog, now: number) {
    this.#log = log
    this.#lastId = Math.max(log.lastChangeId(), now)
  }

  lastId(): number {
    return this.#lastId
  }

  firstId(): number {
    return this.#log.firstChangeId() || (this.#atHand[0]?.id ?? 0)
  }

  /** The id of the next change. Ids are assigned before the commit: a reader may resume by them. */
  nextId(): number {
    this.#lastId += 1
    return this.#lastId
  }

  after(id: number, limit: number): readonly LoggedChange[] {
    for (let from = id; ; ) {
      const page = this.#page(from, limit)
      const last = page.at(-1)
      const news = page.filter(({ kind }) => kind !== 'past')
      if (!last || news.length > 0) return news
      from = last.id
    }
  }

  #page(id: number, limit: number): readonly LoggedChange[] {
    const [oldest] = this.#atHand
    if (oldest && oldest.id <= id + 1) {
      const from = this.#atHand.findLastIndex((change) => change.id <= id) + 1
      return this.#atHand.slice(from, from + limit)
    }
    const logged = id >= this.#lastId ? [] : this.#log.changesAfter(id, limit)
    // While the log cannot be written, newer changes are only here.
    return logged.length === 0 && id < this.#lastId ? this.#atHand.slice(0, limit) : logged
  }

  publish(changes: readonly LoggedChange[]): void {
    if (changes.length === 0) return
    this.#atHand.push(...changes)
    if (this.#atHand.length > 2 * AT_HAND_MAX) this.#atHand = this.#atHand.slice(-AT_HAND_MAX)
    this.#listeners.emit()
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }
}
