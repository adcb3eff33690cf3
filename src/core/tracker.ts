import { Appointments } from './appointments.ts'
import { ATTENTION_DEFAULT } from './attention.ts'
import { judgementOf } from './judge.ts'
import { nextLook } from './next-look.ts'
import { looksSame } from './react.ts'
import { Sessions } from './sessions.ts'
import type { Report, Translate } from './signal.ts'
import type { Gone } from './stand-ins.ts'
import type { Verdict } from './verdict.ts'

export interface Change {
  readonly t: number
  readonly verdict: Verdict
}

/**
 * All sessions and the newest verdict of each. Reports go in with the moment of their arrival,
 * changes of verdict come out; between reports `runTo` keeps the appointments that `nextLook` made.
 * Live or from a recording, the same reports at the same moments give the same changes.
 */
export class Tracker {
  readonly sessions = new Sessions()
  /** SPEC A7. The user's setting; after a change the caller judges all sessions again. */
  attention = ATTENTION_DEFAULT
  readonly #translate: Translate
  /** The newest of each session, also where it looks like the previous one. */
  readonly #verdicts = new Map<string, Verdict>()
  readonly #looks = new Appointments()

  constructor(translate: Translate) {
    this.#translate = translate
  }

  /** The verdict of the last judgement; it holds until the next look. */
  verdict(id: string): Verdict | undefined {
    return this.#verdicts.get(id)
  }

  /** A verdict from before this tracker existed: no change where it still holds. */
  remember(verdict: Verdict): void {
    this.#verdicts.set(verdict.session, verdict)
  }

  /** Learns without judging: old reports were judged when they arrived. */
  learn(report: Report): ReadonlySet<string> {
    const touched = new Set<string>()
    const step = stepOf(report)
    if (step !== undefined) this.#step(step, touched)
    if (isWaking(report)) this.#wake(report.t, touched)
    for (const signal of this.#translate(report))
      for (const id of this.sessions.take(signal)) touched.add(id)
    return touched
  }

  /** A report that arrives `now`; it may have been written earlier. */
  take(report: Report, now = report.t): readonly Change[] {
    return this.judge(this.learn(report), now)
  }

  /** The changes of these sessions' verdicts. */
  judge(ids: Iterable<string>, now: number): readonly Change[] {
    const changes: Change[] = []
    for (const id of ids) this.#judge(id, now, changes)
    return changes
  }

  /** Keeps the appointments that fall before `t`. */
  runTo(t: number): readonly Change[] {
    const changes: Change[] = []
    for (let due = this.#looks.first(); due && due.at < t; due = this.#looks.first())
      this.#judge(due.id, due.at, changes)
    return changes
  }

  nextLookAt(): number | undefined {
    return this.#looks.first()?.at
  }

  /** Names that went out of use since the last call; no change will mention them again. */
  takeGone(): readonly Gone[] {
    const gone = this.sessions.takeGone()
    for (const { id } of gone) {
      this.#verdicts.delete(id)
      this.#looks.set(id, undefined)
    }
    return gone
  }

  #judge(id: string, now: number, changes: Change[]): void {
    const facts = this.sessions.facts(id)
    if (!facts) {
      this.#looks.set(id, undefined)
      return
    }
    // SPEC M9. Once for each report: the verdict holds until the next look.
    const judgement = judgementOf(facts, now, this.attention)
    const { verdict } = judgement
    this.#looks.set(id, nextLook(facts, now, judgement))
    const before = this.#verdicts.get(id)
    this.#verdicts.set(id, verdict)
    if (!before || !looksSame(before, verdict)) changes.push({ t: now, verdict })
  }

  #wake(at: number, touched: Set<string>): void {
    for (const id of [...this.sessions.ids()]) {
      const about = { agent: this.sessions.facts(id)?.agent ?? '', session: id }
      this.sessions.take({ kind: 'woke', at, source: 'process', about })
      touched.add(id)
    }
  }

  #step(byMs: number, touched: Set<string>): void {
    this.sessions.shift(byMs)
    for (const id of this.sessions.ids()) touched.add(id)
  }
}

/** The report is about the machine, and so about every session on it. */
export function isOfAll(report: Report): boolean {
  return isWaking(report) || stepOf(report) !== undefined
}

/** SPEC M1. The clock source reports that the machine slept. */
function isWaking({ source, pid, woke }: Report): boolean {
  return source === 'process' && pid === undefined && woke === true
}

/** SPEC M8. How far the machine's clock was set back, from the clock source. */
function stepOf({ source, pid, steppedMs }: Report): number | undefined {
  const isStep = source === 'process' && pid === undefined && typeof steppedMs === 'number'
  return isStep && Number.isFinite(steppedMs) ? steppedMs : undefined
}
