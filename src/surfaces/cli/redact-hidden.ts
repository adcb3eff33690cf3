/**
 * Hidden texts. Equal texts get equal placeholders and different texts different ones, so that they
 * can still be told apart. Placeholders are numbers, not hashes: a short text could be guessed from
 * its hash.
 */
export class Hidden {
  readonly #numbers = new Map<string, number>()
  readonly #told = new Set<string>()
  readonly #replaced = new Set<string>()

  /** An id that is visible somewhere is visible everywhere, so that references stay intact. */
  tell(id: string): void {
    this.#told.add(id)
  }

  /** An id that a user chose gets a substitute that is an id, too, everywhere. */
  standIn(id: string): string {
    this.#replaced.add(id)
    return this.word(id)
  }

  isTold(id: string): boolean {
    return this.#told.has(id)
  }

  text(value: string): string {
    if (value === '' || this.#told.has(value)) return value
    if (this.#replaced.has(value)) return this.word(value)
    return `[hidden ${this.#numberOf(`text ${value}`)}]`
  }

  /** Amounts can be secrets, too. */
  number(value: number): number {
    return this.#numberOf(`number ${value}`)
  }

  /** A word that is valid in a path or as the name of a field. */
  word(value: string): string {
    return `h${this.#numberOf(`word ${value}`)}`
  }

  #numberOf(value: string): number {
    const known = this.#numbers.get(value)
    if (known !== undefined) return known
    this.#numbers.set(value, this.#numbers.size + 1)
    return this.#numbers.size
  }
}
