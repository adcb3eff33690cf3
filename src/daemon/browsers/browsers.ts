import { randomBytes, timingSafeEqual } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { Complain } from '../../sources/arrival.ts'
import { hashOf } from '../api/door.ts'
import { Listeners } from '../listeners.ts'
import { Codes } from './codes.ts'
import { type Kept, readBrowsers, writeBrowsers } from './file.ts'
import { browserName, freeName } from './name.ts'

/** A phone in a drawer for a month is a phone that may have been lost. */
const UNUSED_MAX_MS = 30 * 24 * 3_600_000

/** When it was last used is written seldom: it is used with each request. */
const SEEN_WRITTEN_MS = 600_000

/** Of more than anybody has, the one that was not used for longest goes. */
const BROWSERS_MAX = 50

export interface Browser {
  readonly id: string
  readonly name: string
  readonly madeAt: number
  readonly seenAt: number
}

export interface SignedIn extends Browser {
  /** As the header has it: `Bearer b…`. Told once, and kept by nobody here. */
  readonly key: string
}

export interface BrowsersOptions {
  /** Where they outlive the daemon; without it they end with it. */
  readonly file?: string
  readonly now?: () => number
  readonly complain?: Complain
}

/** SPEC DR5, DR6. The browsers that have signed in, and the codes by which others can. */
export class Browsers {
  readonly #file: string | undefined
  readonly #now: () => number
  readonly #complain: Complain
  readonly #codes: Codes
  readonly #gone = new Listeners<string>()
  #kept: Kept[] = []
  #writtenAt = 0

  constructor({ file, now = Date.now, complain = () => {} }: BrowsersOptions = {}) {
    this.#file = file
    this.#now = now
    this.#complain = complain
    this.#codes = new Codes(now)
    if (file === undefined) return
    const { browsers, fault } = readBrowsers(file)
    if (fault !== undefined) complain('no browser is signed in', { error: fault })
    this.#kept = browsers
  }

  code(): { readonly code: string; readonly endsAt: number } {
    return this.#codes.make()
  }

  /**
   * Nothing for a code that is none; a used one also ends who came by it. Who signs in again may
   * have the name of its `former` self, which is then to be forgotten.
   */
  signIn(code: string, userAgent: string, former?: string): SignedIn | undefined {
    const id = randomBytes(4).toString('hex')
    const { ok, usedBy } = this.#codes.use(code, id)
    if (usedBy !== undefined && this.forget(usedBy))
      this.#complain('a code was used twice; the browser it signed in is forgotten', { id: usedBy })
    if (!ok) return undefined
    const key = `b${randomBytes(32).toString('hex')}`
    const [now, others] = [this.#now(), this.#inForce()]
    const taken = others.filter((other) => other.id !== former).map((other) => other.name)
    const name = freeName(browserName(userAgent), taken)
    const hash = hashOf(key).toString('hex')
    const kept = { id, name, hash, madeAt: now, seenAt: now }
    const recent = others.toSorted((a, b) => b.seenAt - a.seenAt)
    for (const left of recent.slice(BROWSERS_MAX - 1)) this.forget(left.id)
    this.#kept = [...recent.slice(0, BROWSERS_MAX - 1), kept]
    this.#write()
    return { ...shown(kept), key }
  }

  /** SPEC DR6. All are compared, so that the time it takes tells nothing. */
  byKey(key: string): Browser | undefined {
    const hash = hashOf(key)
    const [found] = this.#inForce().filter((kept) =>
      timingSafeEqual(Buffer.from(kept.hash, 'hex'), hash),
    )
    return found && shown(found)
  }

  /** That it was used at this moment. */
  seen(id: string): void {
    const kept = this.#kept.find((one) => one.id === id)
    if (!kept) return
    kept.seenAt = this.#now()
    if (kept.seenAt - this.#writtenAt > SEEN_WRITTEN_MS) this.#write()
  }

  /** Who was used last comes first. */
  list(): readonly Browser[] {
    return this.#inForce()
      .toSorted((a, b) => b.seenAt - a.seenAt)
      .map(shown)
  }

  /** False if there is none of that id. */
  forget(id: string): boolean {
    const left = this.#kept.filter((kept) => kept.id !== id)
    if (left.length === this.#kept.length) return false
    this.#kept = left
    // What cannot be written must not come back with the next daemon: rather nobody does.
    if (!this.#write()) this.#remove()
    this.#gone.tell(id)
    return true
  }

  forgetAll(why: string): void {
    const ids = this.#kept.map(({ id }) => id)
    if (ids.length > 0) this.#complain('every browser has to sign in again', { why })
    for (const id of ids) this.forget(id)
  }

  /** Told of each that is forgotten: what it is reading then must end. */
  onGone(listener: (id: string) => void): () => void {
    return this.#gone.add(listener)
  }

  close(): void {
    if (this.#kept.some(({ seenAt }) => seenAt > this.#writtenAt)) this.#write()
  }

  #inForce(): Kept[] {
    const since = this.#now() - UNUSED_MAX_MS
    return this.#kept.filter(({ seenAt }) => seenAt > since)
  }

  /** One that cannot be written holds until the daemon ends. */
  #write(): boolean {
    this.#writtenAt = this.#now()
    if (this.#file === undefined) return true
    try {
      writeBrowsers(this.#file, this.#inForce())
      return true
    } catch (error) {
      this.#complain('signed-in browsers could not be written', { error: (error as Error).message })
      return false
    }
  }

  #remove(): void {
    try {
      if (this.#file !== undefined) rmSync(this.#file, { force: true })
    } catch (error) {
      this.#complain('a forgotten browser may come back', { error: (error as Error).message })
    }
  }
}

function shown({ id, name, madeAt, seenAt }: Kept): Browser {
  return { id, name, madeAt, seenAt }
}
