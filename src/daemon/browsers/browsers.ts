import { randomBytes, timingSafeEqual } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { Browser, SignedIn } from '../../protocol/browser.ts'
import type { Complain } from '../../sources/arrival.ts'
import { secretHash } from '../api/endpoint.ts'
import { Listeners } from '../listeners.ts'
import type { HeldOrigin } from '../origin/hold.ts'
import { Codes } from './codes.ts'
import { readBrowsers, type StoredBrowser, writeBrowsers } from './file.ts'
import { browserName, freeName } from './name.ts'

/** A phone unused for a month may have been lost. */
const UNUSED_MAX_MS = 30 * 24 * 3_600_000

/** The time of last use is written rarely: it changes with each request. */
const SEEN_WRITTEN_MS = 600_000

/** More than a user has; beyond it the one unused for longest goes. */
const BROWSERS_MAX = 50

/** Where a browser was signed in or out. */
type Place = 'page' | 'cli' | 'daemon'

export interface SigningIn {
  /** The previous id of a browser that signs in again. */
  readonly former?: string | undefined
  readonly origin?: string
}

const LOST = 'the page’s port was free for a moment, so another program could have taken it'

export interface BrowsersOptions {
  /** Where they outlive the daemon; without a file they end with it. */
  readonly file?: string
  readonly now?: () => number
  readonly complain?: Complain
  /** For the log of acts. A sign-in that cannot be logged is refused. */
  readonly note?: (what: 'sign-in' | 'sign-out', name: string, where: Place, words: string) => void
  /** Called before a browser can sign in under the page's own address. */
  readonly onUse?: () => void
}

/** SPEC DR5, DR6. The browsers that have signed in, and the codes by which others can. */
export class Browsers {
  readonly #file: string | undefined
  readonly #now: () => number
  readonly #complain: Complain
  readonly #codes: Codes
  readonly #note: BrowsersOptions['note']
  readonly #onUse: BrowsersOptions['onUse']
  readonly #gone = new Listeners<string>()
  #stored: StoredBrowser[] = []
  #hold: HeldOrigin | undefined
  #writtenAt = 0

  constructor(options: BrowsersOptions = {}) {
    const { file, now = Date.now, complain = () => {}, note, onUse } = options
    this.#file = file
    this.#now = now
    this.#complain = complain
    this.#note = note
    this.#onUse = onUse
    this.#codes = new Codes(now)
    if (file === undefined) return
    const { browsers, hold, fault } = readBrowsers(file)
    if (fault !== undefined) complain('no browser is signed in', { error: fault })
    this.#stored = browsers
    this.#hold = hold
  }

  /** The page's own address, and the sockets behind it; at first those of the previous daemon. */
  get hold(): HeldOrigin | undefined {
    return this.#hold
  }

  /**
   * SPEC OC2. Sets the page's address. If other sockets are behind it, another user may have
   * listened in between: keys for the previous address become invalid. Keys for shared addresses
   * arrive through a socket that only this user can open, and stay valid.
   */
  holdOn(hold: HeldOrigin): void {
    const before = this.#hold
    this.#hold = hold
    if (!before || before.sockets === hold.sockets) return
    const lost = this.#stored.filter(({ origin }) => origin === before.origin)
    if (lost.length === 0) return
    this.#complain('browsers have to sign in again', { lost: lost.length, why: LOST })
    for (const { id } of lost) this.forget(id, LOST)
  }

  code(origin = this.#hold?.origin ?? ''): { readonly code: string; readonly endsAt: number } {
    if (origin === this.#hold?.origin) this.#onUse?.()
    return this.#codes.make(origin)
  }

  /**
   * Undefined for an invalid code; a used one also signs out the browser that used it. A browser
   * that signs in again may keep the name of its `former` entry, which is then forgotten.
   */
  signIn(
    code: string,
    userAgent: string,
    { former, origin = this.#hold?.origin ?? '' }: SigningIn = {},
  ): SignedIn | undefined {
    const id = randomBytes(4).toString('hex')
    const { ok, usedBy } = this.#codes.use(code, id, origin)
    if (usedBy !== undefined && this.forget(usedBy, 'the code that signed it in was used again'))
      this.#complain('a sign-in code was used twice; the browser it signed in is signed out', {
        id: usedBy,
      })
    if (!ok) return undefined
    const key = `b${randomBytes(32).toString('hex')}`
    const [now, others] = [this.#now(), this.#inForce()]
    const taken = others.filter((other) => other.id !== former).map((other) => other.name)
    const name = freeName(browserName(userAgent), taken)
    const hash = secretHash(key).toString('hex')
    const stored = { id, name, hash, origin, madeAt: now, seenAt: now }
    this.#note?.('sign-in', name, 'page', `under ${origin}`)
    if (origin === this.#hold?.origin) this.#onUse?.()
    const recent = others.toSorted((a, b) => b.seenAt - a.seenAt)
    for (const left of recent.slice(BROWSERS_MAX - 1))
      this.forget(left.id, 'too many browsers have signed in')
    this.#stored = [...recent.slice(0, BROWSERS_MAX - 1), stored]
    this.#write()
    return { ...shown(stored), key }
  }

  /** SPEC DR6. Compares all, so that the time taken reveals nothing. */
  byKey(key: string, origin: string): Browser | undefined {
    const hash = secretHash(key)
    const [found] = this.#inForce().filter((stored) =>
      timingSafeEqual(Buffer.from(stored.hash, 'hex'), hash),
    )
    return found?.origin === origin ? shown(found) : undefined
  }

  /** Records a use at this moment. */
  seen(id: string): void {
    const stored = this.#stored.find((one) => one.id === id)
    if (!stored) return
    stored.seenAt = this.#now()
    if (stored.seenAt - this.#writtenAt > SEEN_WRITTEN_MS) this.#write()
  }

  /** The last used comes first. */
  list(): readonly Browser[] {
    return this.#inForce()
      .toSorted((a, b) => b.seenAt - a.seenAt)
      .map(shown)
  }

  /** False if there is none with that id. */
  forget(id: string, why = '', where: Place = 'daemon'): boolean {
    const gone = this.#stored.find((stored) => stored.id === id)
    if (!gone) return false
    this.#stored = this.#stored.filter((stored) => stored !== gone)
    this.#noteGone(gone, where, why)
    // An entry that cannot be removed must not return with the next daemon: all are dropped
    // instead.
    if (!this.#write()) this.#remove()
    this.#gone.emit(id)
    return true
  }

  /** Whether a browser is signed in under the page's own address. */
  get isInUse(): boolean {
    return this.#inForce().some(({ origin }) => origin === this.#hold?.origin)
  }

  /** Called with each forgotten browser: its open streams must end. */
  onGone(listener: (id: string) => void): () => void {
    return this.#gone.add(listener)
  }

  close(): void {
    if (this.#stored.some(({ seenAt }) => seenAt > this.#writtenAt)) this.#write()
  }

  #inForce(): StoredBrowser[] {
    const since = this.#now() - UNUSED_MAX_MS
    return this.#stored.filter(({ seenAt }) => seenAt > since)
  }

  /** An entry that cannot be written holds until the daemon ends. */
  #write(): boolean {
    this.#writtenAt = this.#now()
    if (this.#file === undefined) return true
    try {
      writeBrowsers(this.#file, { hold: this.#hold, browsers: this.#inForce() })
      return true
    } catch (error) {
      this.#complain('the list of signed-in browsers could not be written', {
        error: (error as Error).message,
      })
      return false
    }
  }

  /** A log that cannot be written must not keep a browser signed in. */
  #noteGone({ name }: StoredBrowser, where: Place, why: string): void {
    try {
      this.#note?.('sign-out', name, where, why)
    } catch (error) {
      this.#complain('a sign-out could not be written to the audit log', {
        error: (error as Error).message,
      })
    }
  }

  #remove(): void {
    try {
      if (this.#file !== undefined) rmSync(this.#file, { force: true })
    } catch (error) {
      this.#complain('a signed-out browser may be signed in again after a restart', {
        error: (error as Error).message,
      })
    }
  }
}

function shown({ id, name, origin, madeAt, seenAt }: StoredBrowser): Browser {
  return { id, name, origin, madeAt, seenAt }
}
