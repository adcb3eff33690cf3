import type { LoopEvent } from '../../agents/loops.ts'
import { WaitingCallers } from '../waiting-callers.ts'

/** `agent` as in its report. */
export type AskedStop = Extract<LoopEvent, { is: 'stop' | 'compacted' }> & {
  readonly agent: unknown
}

/** A hook's report arrives within milliseconds of the question, or the daemon is far behind. */
const REPORT_WITHIN_MS = 6_000

/**
 * SPEC LP73. A hook that has not asked by then has died: its turn has ended. Of 20 Stops at once on
 * two cores the last hook asks about 5 s after its report. Larger: the session of a hook that died
 * is shown as working for longer, where no other source reports its end.
 */
const ASKED_WITHIN_MS = 10_000

/** How long a hook waits for its first answer: one that began to wait earlier is gone. */
const WAITS_MS = 8_000

/** Hooks that asked and died must not fill the memory. */
const OPEN_MAX = 1_000

interface Open {
  readonly asked: AskedStop
  readonly at: number
  timer: NodeJS.Timeout
}

/**
 * SPEC LP73. A hook that may answer leaves its report in the spool like any other, then asks about
 * it by name and digest. Question and report arrive on different ways; this matches them. A report
 * that no hook asks about in time passes: its hook has died.
 */
export class LoopQuestions {
  readonly #open = new Map<string, Open>()
  readonly #awaited = new WaitingCallers<AskedStop>()
  readonly #onLost: (asked: AskedStop) => void

  constructor(onLost: (asked: AskedStop) => void) {
    this.#onLost = onLost
  }

  /** The report has arrived. */
  put(name: string, asked: AskedStop, at: number): void {
    if (this.#open.size >= OPEN_MAX) {
      this.#onLost(asked)
      return
    }
    const timer = this.#expire(name, ASKED_WITHIN_MS)
    this.#open.set(name, { asked, at, timer })
    this.#awaited.resolve(name, asked)
  }

  /** What the hook asks about, once its report is there. */
  async find(name: string, gone: AbortSignal): Promise<AskedStop | undefined> {
    const there = this.#open.get(name)
    return there ? there.asked : this.#awaited.until(name, REPORT_WITHIN_MS, gone)
  }

  /** The hook runs a command before it asks again. */
  hold(name: string, forMs: number): void {
    const open = this.#open.get(name)
    if (!open) return
    clearTimeout(open.timer)
    open.timer = this.#expire(name, forMs + ASKED_WITHIN_MS)
  }

  /** Whether its hook can still be waiting for the first answer. */
  isFresh(name: string, now: number, askedAt = this.#open.get(name)?.at ?? 0): boolean {
    return now - askedAt <= WAITS_MS
  }

  answered(name: string): void {
    clearTimeout(this.#open.get(name)?.timer)
    this.#open.delete(name)
  }

  close(): void {
    for (const { timer } of this.#open.values()) clearTimeout(timer)
    this.#open.clear()
  }

  #expire(name: string, afterMs: number): NodeJS.Timeout {
    const timer = setTimeout(() => {
      const open = this.#open.get(name)
      this.#open.delete(name)
      if (open) this.#onLost(open.asked)
    }, afterMs)
    return timer.unref()
  }
}
