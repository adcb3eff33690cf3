import type { Complain } from '../../sources/arrival.ts'
import type { ActTable } from '../../store/acts.ts'
import { isServed } from './served-requests.ts'
import { requestRowOf, revived, type StoredRequest } from './stored-request.ts'

export type RequestTable = Pick<ActTable, 'keepRequest' | 'forgetRequests' | 'requests'>

/** SPEC AN17. Requests that outlive the daemon; what cannot be stored does not. */
export class KeptRequests {
  readonly #table: RequestTable
  readonly #complain: Complain

  constructor(table: RequestTable, complain: Complain) {
    this.#table = table
    this.#complain = complain
  }

  /** Those that are still open; the others are forgotten. */
  open(isOver: (stored: StoredRequest) => boolean): readonly StoredRequest[] {
    return this.#table.requests().flatMap((row) => {
      const stored = revived(row)
      if (stored && !isOver(stored)) return [stored]
      this.forget(row.id)
      return []
    })
  }

  /** A server sends its requests again. */
  keep(stored: StoredRequest): void {
    if (!isServed(stored)) this.#try(() => this.#table.keepRequest(requestRowOf(stored)))
  }

  forget(id: string): void {
    this.#try(() => this.#table.forgetRequests([id]))
  }

  #try(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.#complain('a request could not be written', { why: (error as Error).message })
    }
  }
}
