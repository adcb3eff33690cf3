import type { ChangeEvent } from '../../protocol/session.ts'
import type { LoggedChange } from '../../store/store.ts'
import type { DaemonApi, Feed } from '../daemon-api.ts'
import { type EventSource, eventText } from './event-stream.ts'

/** How many changes are read from the log at a time: all that is in memory for one reader. */
const BATCH = 32

/** SPEC P4, P5. Every change after a given one, or only future ones: a cursor into the log. */
export class ChangeEvents implements EventSource {
  readonly #machine: string
  readonly #feed: Feed
  #at: number
  #greeted = false

  constructor({ machine, feed }: Pick<DaemonApi, 'machine' | 'feed'>, after?: number) {
    this.#machine = machine
    this.#feed = feed
    this.#at = after ?? feed.lastId()
  }

  next(): string {
    const [first, last] = [this.#feed.firstId(), this.#feed.lastId()]
    if (this.#at > last || this.#at < first - 1) {
      this.#at = last
      this.#greeted = true
      const reset: ChangeEvent = { kind: 'reset', id: last }
      return eventText(reset, last)
    }
    // An id without data is no event, but a reader that loses the connection can resume from it.
    const greeting = this.#greeted ? '' : `id: ${this.#at}\n\n`
    this.#greeted = true
    return greeting + this.#batch()
  }

  hasNext(): boolean {
    return this.#feed.after(this.#at, 1).length > 0
  }

  onNews(listener: () => void): () => void {
    return this.#feed.onChange(listener)
  }

  /**
   * Moves only over what the feed returns: ids up to its last may be assigned and not written yet.
   * Runs of imported changes are skipped, otherwise a reader would wait behind them.
   */
  #batch(): string {
    for (;;) {
      const changes = this.#feed.after(this.#at, BATCH)
      this.#at = changes.at(-1)?.id ?? this.#at
      const text = changes.map((change) => wireText(change, this.#machine)).join('')
      if (text !== '' || changes.length === 0) return text
    }
  }
}

/** Changes imported into the log after they happened are not sent. */
function wireText(change: LoggedChange, machine: string): string {
  const { id, t, session } = change
  if (change.kind === 'past') return ''
  const about = { id, t, machine, session }
  const data: ChangeEvent =
    change.kind === 'gone'
      ? { kind: 'gone', ...about, became: change.became ?? null }
      : { kind: 'verdict', ...about, verdict: change.verdict }
  return eventText(data, id)
}
