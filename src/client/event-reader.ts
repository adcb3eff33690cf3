import type { ChangeEvent } from '../protocol/session.ts'

/** Far more than any change: whatever sends this without a line's end is not the daemon. */
const LINE_MAX_CHARACTERS = 8 * 1024 * 1024

/** Makes events of a stream of bytes, however it is cut into pieces. */
export class EventReader {
  /** The id to resume after. It moves with each block that was complete. */
  lastId: number | undefined
  readonly #decoder = new TextDecoder()
  #rest = ''
  #id: string | undefined
  #data: string[] = []

  read(chunk: Uint8Array): readonly ChangeEvent[] {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n')
    this.#rest = lines.pop() ?? ''
    if (this.#rest.length > LINE_MAX_CHARACTERS)
      throw new Error(`an event's line is longer than ${LINE_MAX_CHARACTERS} characters`)
    return lines.flatMap((line) => {
      if (line === '') return this.#finish()
      this.#take(line)
      return []
    })
  }

  /** Comments (heartbeats) and fields not known here are passed over. */
  #take(line: string): void {
    const [, name, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name === 'id') this.#id = value
    if (name === 'data') this.#data.push(value)
  }

  #finish(): readonly ChangeEvent[] {
    const data = this.#data.join('\n')
    this.lastId = this.#id === undefined ? this.lastId : Number(this.#id)
    this.#id = undefined
    this.#data = []
    return data === '' ? [] : [JSON.parse(data)]
  }
}
