/** Longer than any caller waits; a call must be remembered as long. */
export const CALL_AHEAD_MAX_MS = 15_000
const CALLS_MAX = 2_048
/**
 * One member alone cannot keep all others out. A key that is held down makes some forty calls a
 * second, each remembered for the 8 s until its deadline; replies to keys are short.
 */
const CALLS_MAX_PER_MACHINE = 512

/**
 * `expired` its deadline is over, or it may be one that was done and forgotten
 * `far`     its deadline is further away than a call may wait
 * `full`    too many calls are remembered
 */
export type CallFault = 'expired' | 'far' | 'full'

export type AdmittedCall<Reply> =
  | { readonly ok: true; readonly reply: Promise<Reply>; readonly isRepeat: boolean }
  | { readonly ok: false; readonly why: CallFault }

interface RememberedCall<Reply> {
  readonly machine: string
  readonly deadline: number
  readonly reply: Promise<Reply>
}

/**
 * SPEC FL13–FL15. Does each call of a machine once, whatever the network repeats: until its
 * deadline a repetition gets the reply of the first, and after it nothing.
 */
export class CallGuard<Reply> {
  readonly #calls = new Map<string, RememberedCall<Reply>>()
  readonly #max: number
  readonly #maxPerMachine: number
  /** The latest deadline of a forgotten call: if the clock is set back, it counts still. */
  #floor = Number.NEGATIVE_INFINITY

  constructor({ max = CALLS_MAX, maxPerMachine = CALLS_MAX_PER_MACHINE } = {}) {
    this.#max = max
    this.#maxPerMachine = maxPerMachine
  }

  admit(
    machine: string,
    { id, deadline }: { readonly id: string; readonly deadline: number },
    now: number,
    run: () => Promise<Reply>,
  ): AdmittedCall<Reply> {
    this.#forget(now)
    const key = `${machine} ${id}`
    const known = this.#calls.get(key)
    if (known) return { ok: true, reply: known.reply, isRepeat: true }
    // Written so that a deadline that is no number is refused.
    if (!(deadline > now && deadline > this.#floor)) return { ok: false, why: 'expired' }
    if (deadline > now + CALL_AHEAD_MAX_MS) return { ok: false, why: 'far' }
    if (this.#isFull(machine)) return { ok: false, why: 'full' }
    const reply = Promise.resolve().then(run)
    // Each that waits for it gets the fault; this copy has no reader.
    reply.catch(() => {})
    this.#calls.set(key, { machine, deadline, reply })
    return { ok: true, reply, isRepeat: false }
  }

  get size(): number {
    return this.#calls.size
  }

  #isFull(machine: string): boolean {
    if (this.#calls.size >= this.#max) return true
    const own = [...this.#calls.values()].filter((call) => call.machine === machine)
    return own.length >= this.#maxPerMachine
  }

  #forget(now: number): void {
    for (const [key, { deadline }] of this.#calls) {
      if (deadline > now) continue
      this.#calls.delete(key)
      this.#floor = Math.max(this.#floor, deadline)
    }
  }
}
