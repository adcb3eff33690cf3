/** One block of an event stream. */
export interface EventBlock {
  /** The position to resume after; not every event has one. */
  readonly id: string | null
  readonly event: string
  readonly data: unknown
}

/** Far longer than any event: a sender of this much without a line end is not the daemon. */
const LINE_MAX_CHARACTERS = 8 * 1024 * 1024

/** Parses events from a stream of text, however the text is cut into pieces. */
export class EventBlocks {
  #rest = ''
  #id: string | null = null
  #event = ''
  #data: string[] = []

  read(text: string): readonly EventBlock[] {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    if (this.#rest.length > LINE_MAX_CHARACTERS)
      throw new Error(`an event's line is longer than ${LINE_MAX_CHARACTERS} characters`)
    return lines.flatMap((line) => {
      if (line === '') return this.#finish()
      this.#take(line)
      return []
    })
  }

  /** Skips comments (heartbeats) and unknown fields. */
  #take(line: string): void {
    const [, name, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name === 'id') this.#id = value
    if (name === 'event') this.#event = value
    if (name === 'data') this.#data.push(value)
  }

  /** A block without data only gives a position; its event is `here`. */
  #finish(): readonly EventBlock[] {
    const [id, event, data] = [this.#id, this.#event, this.#data.join('\n')]
    this.#id = null
    this.#event = ''
    this.#data = []
    if (data !== '') return [{ id, event: event || 'message', data: JSON.parse(data) }]
    return id === null ? [] : [{ id, event: 'here', data: null }]
  }
}
