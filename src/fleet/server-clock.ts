import { ClockOffset } from './clock-offset.ts'
import type { Moment } from './remote-shapes.ts'

/** Smaller corrections would change every row for nothing that anyone sees. */
export const OFFSET_STEP_MS = 250
/** While much is read, messages are late, and each is less so than the one before. */
const STEPS_APART_MS = 1_000
/** A clock that was set. */
const JUMP_MS = 2_000

/** How the server's clock stands to both clocks of this machine. */
export class ServerClock {
  readonly #offset = new ClockOffset()
  /** By what rows were corrected last. */
  #appliedMs: number | undefined
  #appliedAt = Number.NEGATIVE_INFINITY

  /** From the server's to `mono`; undefined before the first sample. */
  get ms(): number | undefined {
    return this.#offset.ms
  }

  /** `arrivedAt` by `mono`. */
  add(storedAt: number, arrivedAt: number): void {
    this.#offset.add(arrivedAt - storedAt, arrivedAt)
  }

  /** Whether rows must be corrected anew: this machine's clock may have been set, too. */
  hasMoved(now: Moment): boolean {
    const restMs = this.#restMs(now)
    const stepMs = Math.abs((restMs ?? Number.NaN) - (this.#appliedMs ?? Number.NaN))
    const isSoon = now.mono - this.#appliedAt < STEPS_APART_MS
    if (restMs === undefined || stepMs <= (isSoon ? JUMP_MS : OFFSET_STEP_MS)) return false
    this.#appliedMs = restMs
    this.#appliedAt = now.mono
    return true
  }

  wallOf(storedAt: number, now: Moment): number {
    return Math.min(now.wall, storedAt + (this.#restMs(now) ?? 0))
  }

  #restMs({ mono, wall }: Moment): number | undefined {
    return this.ms === undefined ? undefined : this.ms + wall - mono
  }
}
