/**
 * Four times a second: a killed session should show as closed while its user still looks. The
 * listing, once a second, finds what this cannot see (a reused pid).
 */
const LOOK_MS = 250

/** A microsecond or two each: this many per look cost next to nothing. */
const LOOKS_MIN = 100

/** However many there are, each is checked once in 2 s: nothing else looks for its exit. */
const LOOKS_FOR_ALL = 8

/**
 * Checking for a zombie costs five times as much, and few terminals leave zombies. This many per
 * look find the zombie among a thousand in ten seconds.
 */
const CLOSE_LOOKS_MAX = 25

export interface DeathEvents {
  readonly isThere: (pid: number) => boolean
  /** False when it may be a zombie. */
  readonly isRunning: (pid: number) => boolean
  readonly onGone: (pid: number) => void
  /** Called with a process to check closely. */
  readonly onDoubt: (pid: number) => void
}

/** SPEC S27. Checks the watched processes in turn, and reports those that are gone. */
export class DeathLook {
  readonly #events: DeathEvents
  readonly #there: Turns
  readonly #sound: Turns
  #timer: NodeJS.Timeout | undefined

  constructor(watched: ReadonlyMap<number, unknown>, events: DeathEvents) {
    this.#events = events
    this.#there = new Turns(watched, (all) => Math.max(LOOKS_MIN, Math.ceil(all / LOOKS_FOR_ALL)))
    this.#sound = new Turns(watched, () => CLOSE_LOOKS_MAX)
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  look(): void {
    const { isThere, isRunning, onGone, onDoubt } = this.#events
    for (const pid of this.#there.next()) if (!isThere(pid)) onGone(pid)
    for (const pid of this.#sound.next()) if (!isRunning(pid)) onDoubt(pid)
  }
}

/** A part of the list at a time: each call continues where the last one ended. */
class Turns {
  readonly #all: ReadonlyMap<number, unknown>
  readonly #most: (all: number) => number
  #left: Iterator<number>

  constructor(all: ReadonlyMap<number, unknown>, most: (all: number) => number) {
    this.#all = all
    this.#most = most
    this.#left = all.keys()
  }

  next(): readonly number[] {
    const { size } = this.#all
    return Array.from({ length: Math.min(this.#most(size), size) }, () => this.#one())
  }

  #one(): number {
    const next = this.#left.next()
    if (!next.done) return next.value
    this.#left = this.#all.keys()
    return this.#left.next().value ?? 0
  }
}
