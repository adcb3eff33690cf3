import type { ScreenEvent, TypingView } from '../../protocol/pane.ts'
import { HEARTBEAT_MS, STALL_MS } from './limits.ts'
import type { SentLines } from './pane-picture.ts'
import type { PaneWatch } from './watch.ts'

export interface ViewingParts {
  readonly watch: PaneWatch
  readonly typing: () => TypingView
  readonly onTyping: (listener: () => void) => () => void
  readonly onEnd: () => void
  /** Must end the connection of a viewer that takes nothing any more. */
  readonly hangUp: () => void
}

/**
 * One who watches a pane. Nothing is queued for it: it is told the difference between what it was
 * told last and what there is when it has room, so a slow one misses pictures and no content.
 */
export class Viewing {
  readonly stream: ReadableStream<Uint8Array>
  readonly #parts: ViewingParts
  readonly #forget: readonly (() => void)[]
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #told: SentLines | undefined
  #typing = ''
  #ended = false
  #wake: (() => void) | undefined
  #stall: NodeJS.Timeout | undefined

  constructor(parts: ViewingParts) {
    this.#parts = parts
    const wake = () => this.#wake?.()
    this.#forget = [parts.watch.news.add(wake), parts.onTyping(wake)]
    this.stream = new ReadableStream(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#pull(),
        cancel: () => this.end(),
      },
      { highWaterMark: 0 },
    )
    this.#watchReader()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#stall)
    for (const forget of this.#forget) forget()
    this.#wake?.()
    try {
      this.#controller?.close()
    } catch {
      // Its reader cancelled it.
    }
    this.#parts.onEnd()
  }

  async #pull(): Promise<void> {
    clearTimeout(this.#stall)
    let text = this.#next()
    if (text === '') {
      await this.#news()
      text = this.#next() || ':\n\n'
    }
    if (this.#ended) return
    this.#controller?.enqueue(Buffer.from(text))
    if (this.#parts.watch.over !== undefined) this.end()
    else this.#watchReader()
  }

  #next(): string {
    if (this.#ended) return ''
    const { watch, typing } = this.#parts
    if (watch.over !== undefined) return eventOf({ kind: 'over', why: watch.over })
    const found = watch.picture.newsTo(this.#told)
    this.#told = found?.told ?? this.#told
    const view = eventOf({ kind: 'typing', ...typing() })
    const switched = view === this.#typing ? '' : view
    this.#typing = view
    return (found ? eventOf(found.news) : '') + switched
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(heartbeat)
        this.#wake = undefined
        resolve()
      }
      const heartbeat = setTimeout(done, HEARTBEAT_MS)
      heartbeat.unref()
      this.#wake = done
    })
  }

  /** Who has left without a word would keep the pane watched for ever. */
  #watchReader(): void {
    this.#stall = setTimeout(() => {
      this.end()
      this.#parts.hangUp()
    }, STALL_MS)
    this.#stall.unref()
  }
}

/** JSON holds no raw line break, so nothing on a screen can begin an event of its own. */
function eventOf(news: ScreenEvent): string {
  return `event: ${news.kind}\ndata: ${JSON.stringify(news)}\n\n`
}
