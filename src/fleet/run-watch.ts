const SHOWN_MS = 60_000
/** A machine says its run itself: one that names another each time must cost no more. */
const RUNS_MAX = 16

/** SPEC FL48. A daemon that ended is not heard again: two that take turns are two machines. */
export class RunWatch {
  readonly #runs = new Map<string, { at: number; mono: number }>()
  /** When each run was last heard again after another one. */
  readonly #returnedAt = new Map<string, number>()
  #twoUntil = Number.NEGATIVE_INFINITY

  saw(run: string, at: number, mono: number): void {
    const known = this.#runs.get(run)
    const isNews = known !== undefined && at > known.at
    const other = [...this.#runs].some(([id, seen]) => id !== run && seen.mono > (known?.mono ?? 0))
    if (isNews && other) {
      // Each may return once: the last heartbeat of a daemon was behind the first of the next.
      const returnedAt = this.#returnedAt.get(run) ?? Number.NEGATIVE_INFINITY
      if (mono - returnedAt <= SHOWN_MS) this.#twoUntil = mono + SHOWN_MS
      this.#returnedAt.set(run, mono)
    }
    if (!known || isNews) this.#runs.set(run, { at, mono })
    for (const [id, seen] of this.#runs) {
      if (mono - seen.mono <= SHOWN_MS && this.#runs.size <= RUNS_MAX) continue
      this.#runs.delete(id)
      this.#returnedAt.delete(id)
    }
  }

  get size(): number {
    return this.#runs.size
  }

  areTwo(mono: number): boolean {
    return mono < this.#twoUntil
  }
}
