import { isThere } from './is-there.ts'

/**
 * Four times a second: a session that was killed is to be shown as closed while its user still
 * looks. The listing, once a second, finds what this cannot tell (zombies, pids in other hands).
 */
const LOOK_MS = 250

/** A microsecond or two each: so many a look are a thousandth of a core, however many there are. */
const LOOKS_MAX = 250

/** SPEC S27. Asks after the watched processes in turn, and tells of those that are gone. */
export class DeathLook {
  readonly #watched: ReadonlyMap<number, unknown>
  readonly #onGone: (pid: number) => void
  readonly #isThere: (pid: number) => boolean
  #timer: NodeJS.Timeout | undefined
  #turn: Iterator<number> | undefined

  constructor(
    watched: ReadonlyMap<number, unknown>,
    onGone: (pid: number) => void,
    asks: (pid: number) => boolean = isThere,
  ) {
    this.#watched = watched
    this.#onGone = onGone
    this.#isThere = asks
  }

  start(everyMs = LOOK_MS): void {
    this.#timer = setInterval(() => this.look(), everyMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  look(): void {
    const count = Math.min(LOOKS_MAX, this.#watched.size)
    for (let looked = 0; looked < count; looked++) {
      const pid = this.#next()
      if (pid !== undefined && !this.#isThere(pid)) this.#onGone(pid)
    }
  }

  /** Where the last look ended the next begins. */
  #next(): number | undefined {
    const next = this.#turn?.next()
    if (next && !next.done) return next.value
    this.#turn = this.#watched.keys()
    return this.#turn.next().value
  }
}
