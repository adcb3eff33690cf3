import { NOTIFY_SETTLE_MS } from '../core/limits.ts'
import type { State } from '../core/verdict.ts'
import { lengthOf, type TimeRange } from './absences.ts'
import type { Durations, Longest } from './sums.ts'

/** The part of a change that figures need. */
export interface WalkedChange {
  readonly t: number
  /** `gone`: the name went out of use; another session has it. */
  readonly state: State | 'gone'
  readonly for: string | null
  readonly since: number
  readonly costUsd: number | null
}

/** Receives a session's time, cost and waits. */
export interface Ledger {
  readonly durations: Durations
  readonly longest: Longest
  readonly calendar: { readonly to: number }
  isWithin(t: number): boolean
  watched(from: number, to: number): readonly TimeRange[]
  passed(kind: 'worked' | 'waited', project: string | null, from: number, to: number): number
  spent(project: string | null, t: number, usd: number): void
  count(what: 'turns' | 'sessions', project: string | null): void
}

/** SPEC IN2. As everywhere, an agent with running tasks counts as working (VW7). */
const AT_WORK: ReadonlySet<string> = new Set(['working', 'background'])

/** SPEC IN4. After these states a session that works again continues its turn. */
const IN_TURN: ReadonlySet<string> = new Set(['waiting', 'stuck'])

/**
 * SPEC IN5. States that follow an unanswered request: the agent is gone, or its state is unknown.
 */
const UNANSWERED: ReadonlySet<string> = new Set(['closed', 'unknown', 'starting', 'gone'])

interface Standing {
  readonly state: string
  readonly for: string | null
  readonly at: number
}

/** One session through a period. */
export class Walk {
  readonly #ledger: Ledger
  readonly #session: string
  readonly #project: string | null
  #now: Standing | undefined
  #costUsd: number | null = null
  #busyMs = 0

  constructor(ledger: Ledger, session: string, project: string | null) {
    this.#ledger = ledger
    this.#session = session
    this.#project = project
  }

  /** In order of time; of those before the period the last one is enough. */
  said(said: WalkedChange): void {
    if (said.t >= this.#ledger.calendar.to) return
    this.#spend(said)
    const before = this.#now
    if (before?.state === said.state && before.for === said.for) return
    const at = this.#beginOf(said)
    if (before) this.#leave(before, at, said.state)
    this.#now = { state: said.state, for: said.for, at }
    if (said.state !== 'working' || IN_TURN.has(before?.state ?? '')) return
    if (this.#ledger.isWithin(said.t)) this.#ledger.count('turns', this.#project)
  }

  /** No more changes: the state continues. The cost of a live session may have grown since. */
  end(costUsd: number | null = null): void {
    const { to } = this.#ledger.calendar
    if (costUsd !== null) this.#pay(to - 1, costUsd)
    if (this.#now) this.#leave(this.#now, to, undefined)
    // A stand-in's time counts, but it was no session.
    if (this.#busyMs > 0 && this.#now?.state !== 'gone')
      this.#ledger.count('sessions', this.#project)
  }

  /**
   * A wait began with its request, which may have been reported a moment later. Any other state may
   * have a beginning older than what came between: a turn that continues after a dialog has its
   * own.
   */
  #beginOf({ state, t, since }: WalkedChange): number {
    if (state !== 'waiting') return t
    return Math.min(t, Math.max(since, this.#now?.at ?? since))
  }

  #leave(was: Standing, to: number, next: string | undefined): void {
    if (AT_WORK.has(was.state))
      this.#busyMs += this.#ledger.passed('worked', this.#project, was.at, to)
    if (was.state !== 'waiting') return
    this.#busyMs += this.#ledger.passed('waited', this.#project, was.at, to)
    const open = next === undefined
    if (!open && !this.#ledger.isWithin(to)) return
    const kind = was.for ?? 'dialog'
    const ms = lengthOf(this.#ledger.watched(was.at, to))
    const { longest, durations } = this.#ledger
    // A wait too short to read was answered by a hook, or not at all.
    if (ms < NOTIFY_SETTLE_MS) return
    longest.add({ session: this.#session, project: this.#project, kind, at: was.at, ms, open })
    if (!open && !UNANSWERED.has(next)) durations.add(kind, ms)
  }

  #spend({ t, costUsd }: WalkedChange): void {
    if (costUsd !== null) this.#pay(t, costUsd)
  }

  /** SPEC IN7. A cost lower than before means a restarted counter. */
  #pay(t: number, costUsd: number): void {
    const before = this.#costUsd ?? 0
    const usd = costUsd < before ? costUsd : costUsd - before
    this.#costUsd = costUsd
    if (this.#ledger.isWithin(t)) this.#ledger.spent(this.#project, t, usd)
  }
}
