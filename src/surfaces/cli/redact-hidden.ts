/**
 * Texts that are not told. Equal ones get the same name and different ones different names, so that
 * whatever was told apart by them still is. Names are counted, not hashed: who knows what a short
 * text may have been could find it out from its hash.
 */
export class Hidden {
  readonly #numbers = new Map<string, number>()
  readonly #told = new Set<string>()
  readonly #replaced = new Set<string>()

  /** An id that is told somewhere is told everywhere: what it ties together stays tied. */
  tell(id: string): void {
    this.#told.add(id)
  }

  /** One that somebody chose gets a stand-in that is an id, too, wherever it stands. */
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

  /** A word that may stand in a path or as the name of a field. */
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
