import type { Complain } from '../../sources/arrival.ts'
import type { InsightTables } from '../../store/insight.ts'

/** SPEC IN3. Records when vigil did not watch; other parts report a log that cannot be written. */
export class Presence {
  readonly #tables: InsightTables
  readonly #complain: Complain

  constructor(tables: InsightTables, complain: Complain) {
    this.#tables = tables
    this.#complain = complain
  }

  /** A daemon starts: since the last sign of the previous one vigil did not watch. */
  begin(now: number): void {
    this.#try(() => {
      const last = this.#tables.watchedAt()
      if (last > 0) this.#tables.absent(last, now)
    })
  }

  /** The machine slept until now. */
  slept(gapMs: number, now: number): void {
    this.#try(() => this.#tables.absent(now - gapMs, now))
  }

  end(now: number): void {
    this.#try(() => this.#tables.leave(now))
  }

  #try(note: () => void): void {
    try {
      note()
    } catch (error) {
      this.#complain('a time without a daemon could not be written to the log', {
        error: (error as Error).message,
      })
    }
  }
}
