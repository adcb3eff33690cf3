import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AdminPolicy } from '../../home/policy.ts'
import type { Complain } from '../../sources/arrival.ts'
import { Listeners } from '../listeners.ts'

export interface AbleParts {
  /** The folder in which hooks look for the mark. */
  readonly run: string
  readonly now: () => number
  readonly policy?: AdminPolicy | undefined
  readonly complain: Complain
}

/** What its user has set. */
export interface AnswerSettings {
  readonly on: boolean
  /** Also while nobody is connected: for who answers by commands alone. */
  readonly always: boolean
}

/** A page that is loaded again, a phone between two networks, a daemon that restarts. */
const LINGER_MS = 60_000

/**
 * SPEC AN12. Whether anybody could answer, and the mark by which hooks know it: without it no
 * client waits for anything.
 */
export class Able {
  /** Told when `could` has become something else. */
  readonly changed = new Listeners<void>()
  readonly #parts: AbleParts
  readonly #mark: string
  readonly #policy: AdminPolicy
  readonly #ways = new Set<string>()
  #settings: AnswerSettings = { on: false, always: false }
  #there = 0
  #lingersUntil = 0
  #timer: NodeJS.Timeout | undefined
  #could = false

  constructor(parts: AbleParts) {
    this.#parts = parts
    this.#mark = join(parts.run, 'answerable')
    this.#policy = parts.policy ?? new AdminPolicy()
  }

  /** SPEC WD23. Why nothing is answered from here; asked with each answer. */
  get whyOff(): string | null {
    const forbidden = this.#policy.whyNot('answering')
    if (forbidden !== undefined) return forbidden
    return this.#settings.on ? null : 'answering is off (vigil answers on)'
  }

  get could(): boolean {
    return this.#could
  }

  use({ on, always }: AnswerSettings): void {
    this.#settings = { on, always }
    this.#look()
  }

  /** A surface that can answer is connected, until the returned is called. */
  enter(): () => void {
    this.#there += 1
    this.#look()
    let here = true
    return () => {
      if (!here) return
      here = false
      this.#there -= 1
      this.linger()
    }
  }

  /** Another way to answer that stands by itself, such as a channel of notifications. */
  way(name: string, able: boolean): void {
    if (able) this.#ways.add(name)
    else this.#ways.delete(name)
    this.#look()
  }

  /** Who was there a moment ago may be back in another. */
  linger(): void {
    this.#lingersUntil = this.#parts.now() + LINGER_MS
    this.#look()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#could = false
    this.#set(false)
  }

  #look(): void {
    clearTimeout(this.#timer)
    const { always } = this.#settings
    const on = this.whyOff === null
    const lingersMs = this.#lingersUntil - this.#parts.now()
    const somebody = always || this.#there > 0 || this.#ways.size > 0
    if (!somebody && on && lingersMs > 0)
      this.#timer = setTimeout(() => this.#look(), lingersMs + 1).unref()
    const could = on && (somebody || lingersMs > 0)
    this.#set(could)
    if (could === this.#could) return
    this.#could = could
    this.changed.tell()
  }

  /** Each time anew: what was left by a killed daemon, or taken away by somebody, is put right. */
  #set(could: boolean): void {
    try {
      if (could) writeFileSync(this.#mark, '', { mode: 0o600 })
      else rmSync(this.#mark, { force: true })
    } catch (error) {
      this.#parts.complain('who could answer is not marked', { why: (error as Error).message })
    }
  }
}
