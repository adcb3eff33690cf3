/** A run of a daemon, as its heartbeats name it. */
export interface DaemonRun {
  readonly run: string
  readonly startedAt: number
}

/** A run that is not heard from for this long has ended, or was cut off. */
const SILENCE_MAX_MS = 60_000

/** One may be the last heartbeat of the run before, on its way when that run ended. */
const BEATS_MIN = 2

/**
 * SPEC FL55, FL56. Whether this daemon may publish, although another one may use the same machine
 * id: a disk was cloned. Both sides come to opposite decisions without a word to each other.
 */
export class CloneCheck {
  readonly #own: DaemonRun
  readonly #others = new Map<string, OtherRun>()
  #answeredAt: number | undefined
  #calledAt: number | undefined

  constructor(own: DaemonRun) {
    this.#own = own
  }

  /** A call to the own id was answered, before this daemon served it: it came second. */
  sawAnswer(now: number): void {
    this.#answeredAt = now
  }

  /** A call came from the own id: this daemon was first, and the other shares nothing. */
  sawCall(now: number): void {
    this.#calledAt = now
  }

  /** A heartbeat with the own machine id. `at` tells one heartbeat from a repeated one. */
  sawBeat(beat: DaemonRun & { readonly at: number; readonly isOld: boolean }, now: number): void {
    if (beat.run === this.#own.run || beat.isOld) return
    const known = this.#others.get(beat.run)
    if (known && beat.at === known.at) return
    const { run, startedAt, at } = beat
    this.#others.set(run, { run, startedAt, at, heardAt: now, beats: (known?.beats ?? 0) + 1 })
    for (const [other, { heardAt }] of this.#others)
      if (now - heardAt > SILENCE_MAX_MS) this.#others.delete(other)
  }

  /** Another daemon uses this machine id at present. */
  isCloned(now: number): boolean {
    const wasCalled = isLately(this.#calledAt, now)
    return wasCalled || isLately(this.#answeredAt, now) || this.#present(now).length > 0
  }

  mayPublish(now: number): boolean {
    if (isLately(this.#answeredAt, now)) return false
    return this.#present(now).every((other) => isBefore(this.#own, other))
  }

  #present(now: number): readonly DaemonRun[] {
    return [...this.#others.values()].filter(
      ({ beats, heardAt }) => beats >= BEATS_MIN && now - heardAt <= SILENCE_MAX_MS,
    )
  }
}

interface OtherRun extends DaemonRun {
  readonly at: number
  readonly heardAt: number
  readonly beats: number
}

function isLately(at: number | undefined, now: number): boolean {
  return at !== undefined && now - at <= SILENCE_MAX_MS
}

function isBefore(a: DaemonRun, b: DaemonRun): boolean {
  return a.startedAt < b.startedAt || (a.startedAt === b.startedAt && a.run < b.run)
}
