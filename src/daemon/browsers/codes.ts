import { randomBytes, timingSafeEqual } from 'node:crypto'
import { secretHash } from '../api/endpoint.ts'

/** 128 bits cannot be guessed; the other limits are for codes that other people have seen. */
const CODE_BYTES = 16

/** Time to fetch a phone and to start a browser, and no more. */
export const CODE_LIFE_MS = 120_000

/** A typing user makes one or two mistakes; five are an attack. */
const WRONG_MAX = 5

/** As many as a user opens while looking for the right window; the oldest goes. */
const OPEN_MAX = 8

interface Code {
  readonly hash: Buffer
  /** The only address under which it signs in. */
  readonly origin: string
  readonly endsAt: number
  wrong: number
  /** The browser it signed in. */
  usedBy: string | undefined
}

/** SPEC DR5. Codes that sign in one browser, once. In memory only: they end with the daemon. */
export class Codes {
  readonly #now: () => number
  #codes: Code[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  make(origin: string): { readonly code: string; readonly endsAt: number } {
    const code = randomBytes(CODE_BYTES).toString('hex')
    const endsAt = this.#now() + CODE_LIFE_MS
    const kept = this.#inForce().slice(-(OPEN_MAX - 1))
    this.#codes = [...kept, { hash: secretHash(code), origin, endsAt, wrong: 0, usedBy: undefined }]
    return { code, endsAt }
  }

  /**
   * Uses up a code for a browser. `usedBy`: the code had already signed in another browser: one of
   * the two got a code that was not meant for it, and vigil cannot tell which. Under another
   * address than its own it is refused and stays valid (SPEC OC6).
   */
  use(
    given: string,
    browser: string,
    origin: string,
  ): { readonly ok: boolean; readonly usedBy?: string } {
    this.#codes = this.#inForce()
    const hash = secretHash(given)
    const [found] = this.#codes.filter((code) => timingSafeEqual(code.hash, hash))
    if (!found) {
      for (const code of this.#codes) code.wrong += 1
      return { ok: false }
    }
    if (found.origin !== origin) return { ok: false }
    if (found.usedBy !== undefined) return { ok: false, usedBy: found.usedBy }
    found.usedBy = browser
    return { ok: true }
  }

  #inForce(): Code[] {
    const now = this.#now()
    const isLeft = ({ wrong, usedBy }: Code) => usedBy !== undefined || wrong < WRONG_MAX
    return this.#codes.filter((code) => code.endsAt > now && isLeft(code))
  }
}
