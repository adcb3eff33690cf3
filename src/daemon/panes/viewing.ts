import type { ScreenEvent, TypingView } from '../../protocol/pane.ts'
import {
  type EventSource,
  EventSubscription,
  eventText,
  type PulledText,
} from '../api/event-stream.ts'
import { HEARTBEAT_MS, STALL_MS } from './limits.ts'
import type { SentLines } from './pane-picture.ts'
import type { PaneWatch } from './watch.ts'

export interface ViewingParts {
  readonly watch: PaneWatch
  readonly typing: () => TypingView
  readonly onTyping: (listener: () => void) => () => void
  readonly onEnd: () => void
  /** Must end the connection of a viewer that has stopped reading. */
  readonly hangUp: () => void
}

/**
 * A viewer of a pane. Nothing is queued for it: it gets the difference between the last frame sent
 * and the present one when it has room, so a slow viewer misses frames and no content.
 */
export class Viewing implements PulledText {
  readonly #parts: ViewingParts
  readonly #events: EventSubscription
  #sent: SentLines | undefined
  #typing = ''

  constructor(parts: ViewingParts) {
    this.#parts = parts
    const { watch, onTyping, onEnd, hangUp } = parts
    const source: EventSource = {
      next: () => this.#next(),
      // Without this a viewer that vanished would keep the pane watched for ever.
      hasNext: () => true,
      isOver: () => watch.over !== undefined,
      onNews: (wake) => {
        const [forgetNews, forgetTyping] = [watch.news.add(wake), onTyping(wake)]
        return () => {
          forgetNews()
          forgetTyping()
        }
      },
    }
    const limits = { heartbeatMs: HEARTBEAT_MS, stallMs: STALL_MS }
    this.#events = new EventSubscription(source, limits, (dropped) => {
      onEnd()
      if (dropped) hangUp()
    })
  }

  next(): Promise<string | undefined> {
    return this.#events.next()
  }

  end(): void {
    this.#events.end()
  }

  #next(): string {
    const { watch, typing } = this.#parts
    if (watch.over !== undefined) return eventOf({ kind: 'over', why: watch.over })
    const found = watch.picture.newsTo(this.#sent)
    this.#sent = found?.sent ?? this.#sent
    const view = eventOf({ kind: 'typing', ...typing() })
    const switched = view === this.#typing ? '' : view
    this.#typing = view
    return (found ? eventOf(found.news) : '') + switched
  }
}

function eventOf(news: ScreenEvent): string {
  return eventText(news)
}
