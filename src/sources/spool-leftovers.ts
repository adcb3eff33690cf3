import { join } from 'node:path'
import { errorCode } from '../home/regular-file.ts'
import { isThere } from '../platform/is-there.ts'
import type { Complain } from './arrival.ts'
import { harmless, Rejects } from './rejects.ts'
import type { Taken } from './spool-file.ts'
import { spoolName } from './spool-parse.ts'

/** A file's writer needs milliseconds; a writer dead for a minute never finishes. */
const INCOMPLETE_MAX_MS = 60_000
/** A live pid may be another process by now: after this time the file stays unfinished. */
const ABANDONED_MAX_MS = 600_000
/** Names remembered as left alone; beyond it the oldest may be reported again. */
const LEFT_ALONE_MAX = 10_000

/** Files in the spool that give no report: they wait, are set aside, or are left alone. */
export class SpoolLeftovers {
  readonly #folder: string
  readonly #rejects: Rejects
  readonly #complain: Complain
  /** Ages are measured by the monotonic clock. */
  readonly #monotonicMs: () => number
  readonly #incomplete = new Map<string, number>()
  /** Not reported again while their signature is unchanged. */
  readonly #leftAlone = new Map<string, string>()
  rejected = 0

  constructor(folder: string, rejected: string, complain: Complain, monotonicMs: () => number) {
    this.#folder = folder
    this.#rejects = new Rejects(rejected)
    this.#complain = complain
    this.#monotonicMs = monotonicMs
  }

  put(name: string, taken: Exclude<Taken, { is: 'report' }>): void {
    if (taken.is !== 'incomplete') this.#incomplete.delete(name)
    if (taken.is === 'incomplete') this.#wait(name)
    else if (taken.is === 'unusable') this.#reject(name, taken.why, taken.bytes)
    else if (taken.is === 'absent') this.#leftAlone.delete(name)
    else this.#leave(name, `expected a file, found ${taken.what}`, taken.signature)
  }

  /** The file became a report. */
  settle(name: string): void {
    this.#incomplete.delete(name)
  }

  isIncomplete(name: string): boolean {
    return this.#incomplete.has(name)
  }

  /** The one untouched for longest first; each returns to the end of the queue. */
  *incomplete(max: number): Generator<string> {
    for (const [name, since] of [...this.#incomplete].slice(0, max)) {
      this.#incomplete.delete(name)
      this.#incomplete.set(name, since)
      yield name
    }
  }

  #wait(name: string): void {
    const now = this.#monotonicMs()
    const ageMs = now - (this.#incomplete.get(name) ?? now)
    if (ageMs > ABANDONED_MAX_MS || (ageMs > INCOMPLETE_MAX_MS && !hasWriter(name)))
      this.#reject(name, 'incomplete, and its writer has ended', 0)
    else this.#incomplete.set(name, now - ageMs)
  }

  #reject(name: string, why: string, bytes: number): void {
    this.#incomplete.delete(name)
    try {
      this.#rejects.add(join(this.#folder, name), name, bytes)
    } catch (error) {
      this.#leave(name, `${why}; it cannot be moved (${errorCode(error)})`, why)
      return
    }
    this.rejected++
    this.#complain('a spool file was set aside', { name: harmless(name), why })
  }

  #leave(name: string, why: string, signature: string): void {
    if (this.#leftAlone.get(name) === signature) return
    this.#leftAlone.delete(name)
    this.#leftAlone.set(name, signature)
    const [oldest] = this.#leftAlone.keys()
    if (this.#leftAlone.size > LEFT_ALONE_MAX && oldest !== undefined)
      this.#leftAlone.delete(oldest)
    this.#complain('a spool entry was ignored', { name: harmless(name), why })
  }
}

function hasWriter(name: string): boolean {
  const pid = spoolName(name)?.pid
  return pid !== undefined && isThere(pid)
}
