import type { Complain } from '../../sources/arrival.ts'
import type { InsightTables } from '../../store/insight.ts'

/** SPEC IN3. Notes when nobody watched; a log that cannot be written is a trouble of others. */
export class Presence {
  readonly #book: InsightTables
  readonly #complain: Complain

  constructor(book: InsightTables, complain: Complain) {
    this.#book = book
    this.#complain = complain
  }

  /** A daemon begins: since the last sign of another one nobody has watched. */
  begin(now: number): void {
    this.#try(() => {
      const last = this.#book.watchedAt()
      if (last > 0) this.#book.absent(last, now)
    })
  }

  /** The machine slept until now. */
  slept(gapMs: number, now: number): void {
    this.#try(() => this.#book.absent(now - gapMs, now))
  }

  end(now: number): void {
    this.#try(() => this.#book.leave(now))
  }

  #try(note: () => void): void {
    try {
      note()
    } catch (error) {
      this.#complain('an absence was not noted', { error: (error as Error).message })
    }
  }
}
