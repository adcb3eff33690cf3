/**
 * Four times a second: a session that was killed is to be shown as closed while its user still
 * looks. The listing, once a second, finds what this cannot tell (a pid in other hands).
 */
const LOOK_MS = 250

/** A microsecond or two each: so many a look cost next to nothing, however many there are. */
const LOOKS_MAX = 100

/** Whether one is a zombie costs five times as much; few terminals leave theirs unburied. */
const CLOSE_LOOKS_MAX = 10

export interface DeathEvents {
  readonly isThere: (pid: number) => boolean
  /** False when it may be a zombie. */
  readonly isSound: (pid: number) => boolean
  readonly onGone: (pid: number) => void
  /** To be looked at closely. */
  readonly onDoubt: (pid: number) => void
}

/** SPEC S27. Asks after the watched processes in turn, and tells of those that are gone. */
export class DeathLook {
  readonly #watched: ReadonlyMap<number, unknown>
  readonly #events: DeathEvents
  #timer: NodeJS.Timeout | undefined
  #turn: Iterator<number> | undefined

  constructor(watched: ReadonlyMap<number, unknown>, events: DeathEvents) {
    this.#watched = watched
    this.#events = events
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  look(): void {
    const { isThere, isSound, onGone, onDoubt } = this.#events
    const count = Math.min(LOOKS_MAX, this.#watched.size)
    for (let looked = 0; looked < count; looked++) {
      const pid = this.#next()
      if (pid === undefined) return
      if (!isThere(pid)) onGone(pid)
      else if (looked < CLOSE_LOOKS_MAX && !isSound(pid)) onDoubt(pid)
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
