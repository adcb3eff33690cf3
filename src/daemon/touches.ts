import { randomBytes } from 'node:crypto'

/** SPEC P15. What was heard of since a listing was made: the rest need not be told again. */
export class Touches {
  /** Another daemon counts anew. */
  readonly #run = randomBytes(6).toString('base64url')
  readonly #last = new Map<string, number>()
  #count = 0

  /** To be given back when asked what has been touched since. */
  get cursor(): string {
    return `${this.#run}.${this.#count}`
  }

  touch(ids: Iterable<string>): void {
    this.#count += 1
    for (const id of ids) this.#last.set(id, this.#count)
  }

  /** Nothing for a cursor that another daemon gave: then all is news. */
  since(cursor: string): readonly string[] | undefined {
    const [run, count] = cursor.split('.')
    if (run !== this.#run) return undefined
    return [...this.#last].flatMap(([id, at]) => (at > Number(count) ? id : []))
  }

  /** The others are gone. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#last.keys()) if (!ids.has(id)) this.#last.delete(id)
  }
}
