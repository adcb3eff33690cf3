import type { Fields } from '../../agents/read.ts'
import type { Spooled } from '../../sources/arrival.ts'
import { bindingOf } from '../waiting-callers.ts'
import type { StoredRequest } from './stored-request.ts'

/** A hook fetches its answer within 0.2 s; on a machine that swaps its Node may take seconds. */
const FETCHED_WITHIN_MS = 20_000

interface GivenAnswer {
  readonly stored: StoredRequest
  readonly output: Fields
  readonly late: NodeJS.Timeout
}

/** Answers that their hooks have not fetched yet, by binding. */
export class UnfetchedAnswers {
  readonly #answers = new Map<string, GivenAnswer>()

  has({ spooled }: StoredRequest): boolean {
    return this.#answers.has(bindingOf(spooled))
  }

  put(stored: StoredRequest, output: Fields, onLate: () => void): void {
    const binding = bindingOf(stored.spooled)
    const late = setTimeout(() => {
      this.#answers.delete(binding)
      onLate()
    }, FETCHED_WITHIN_MS).unref()
    this.#answers.set(binding, { stored, output, late })
  }

  /** SPEC BR2. By the payload as well as by the name. */
  take(report: Spooled): GivenAnswer | undefined {
    const binding = bindingOf(report)
    const given = this.#answers.get(binding)
    clearTimeout(given?.late)
    this.#answers.delete(binding)
    return given
  }
}
