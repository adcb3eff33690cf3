import type { Logger } from 'pino'
import { Listeners } from './listeners.ts'

/** Present problems, each once: logged when they begin and when they end. */
export class Troubles {
  readonly #log: Logger
  readonly #present = new Map<string, string>()
  readonly #listeners = new Listeners<void>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** Without `what` the problem of `about` is over. */
  set(about: string, what: string | undefined): void {
    if (this.#present.get(about) === what) return
    if (what !== undefined) this.#log.error({ about }, what)
    else this.#log.info({ about }, 'is working again')
    if (what !== undefined) this.#present.set(about, what)
    else this.#present.delete(about)
    this.#listeners.emit()
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  list(): readonly string[] {
    return [...this.#present].map(([about, what]) => `${about}: ${what}`)
  }
}
