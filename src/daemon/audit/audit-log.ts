import type { Complain } from '../../sources/arrival.ts'
import type { ActTable } from '../../store/acts.ts'
import { readHead, writeHead } from '../../store/audit-head.ts'
import { CHAIN, type ChainedAct, GAP } from '../../store/chain.ts'
import type { ChainHead } from '../../store/chain-check.ts'
import { aboutLog, type NewAct } from '../../store/chained.ts'

export interface AuditLogParts {
  readonly acts: ActTable
  readonly headFile: string
  readonly now: () => number
  /** Also into the daemon's own log: a second place to compare with. */
  readonly onNoted: (head: ChainHead) => void
  readonly complain: Complain
}

/**
 * SPEC AU3. Acts in the log, and their newest hash in another folder: a log that was truncated or
 * replaced as a whole does not match it.
 */
export class AuditLog {
  readonly #parts: AuditLogParts

  constructor(parts: AuditLogParts) {
    this.#parts = parts
  }

  /** First records what is missing since the last daemon ended. */
  start(): void {
    const { acts, headFile, now, complain } = this.#parts
    try {
      const last = acts.last()
      const missing = this.#missing(last, readHead(headFile))
      if (missing !== undefined) this.note(aboutLog(GAP, now(), missing))
      else if (last) this.#keep({ act: last.id, hash: last.hash })
    } catch (error) {
      complain('the audit log could not be compared with audit-head.json', { why: String(error) })
    }
  }

  note(act: NewAct): ChainHead {
    const head = this.#parts.acts.note(act)
    this.#parts.onNoted(head)
    this.#keep(head)
    return head
  }

  list: ActTable['list'] = (filter) => this.#parts.acts.list(filter)

  page: ActTable['page'] = (filter) => this.#parts.acts.page(filter)

  /** In words; undefined when log and head file agree. */
  #missing(last: ChainedAct | undefined, head: ChainHead | undefined): string | undefined {
    if (!head) {
      // An older log was chained a moment ago, and had no such file.
      if (!last || last.what === CHAIN) return undefined
      return `audit-head.json was missing; the log ended with act ${last.id}`
    }
    const { act, hash } = head
    const named = `act ${act} (${hash.slice(0, 12)}…)`
    if (this.#parts.acts.hashAt(act) !== hash)
      return `${named} is in audit-head.json, not in the log, which ended with act ${last?.id ?? 0}`
    // One more: the daemon was killed between the log and the file.
    if (last && last.id > act + 1)
      return `the log went on after ${named} to act ${last.id} without audit-head.json`
    return undefined
  }

  /** The act is in the log: it is done whether or not this file can be written. */
  #keep(head: ChainHead): void {
    try {
      writeHead(this.#parts.headFile, head)
    } catch (error) {
      this.#parts.complain('the newest hash could not be written to audit-head.json', {
        why: (error as Error).message,
      })
    }
  }
}
