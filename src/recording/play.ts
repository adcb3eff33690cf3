import { translate } from '../agents/claude/translate.ts'
import { judge } from '../core/judge.ts'
import { nextLook } from '../core/next-look.ts'
import { looksSame } from '../core/react.ts'
import { Sessions } from '../core/sessions.ts'
import type { Report } from '../core/signal.ts'
import type { Verdict } from '../core/verdict.ts'

export interface Change {
  readonly t: number
  readonly verdict: Verdict
}

/**
 * Feeds reports in virtual time: each at its arrival, and between them every appointment that
 * `nextLook` made, until `endAt`. Gives every change of verdict, in order.
 */
export function* play(reports: readonly Report[], endAt: number): Generator<Change> {
  const player = new Player()
  for (const report of reports) {
    yield* player.runTo(report.t)
    yield* player.take(report)
  }
  yield* player.runTo(endAt)
}

export class Player {
  readonly sessions = new Sessions()
  readonly #said = new Map<string, Verdict>()
  readonly #looks = new Map<string, number>()

  /** Learns a report that arrives `now`; it may have been written earlier. */
  take(report: Report, now = report.t): readonly Change[] {
    const touched = new Set<string>()
    for (const signal of translate(report))
      for (const id of this.sessions.take(signal)) touched.add(id)
    return [...touched].flatMap((id) => this.#judge(id, now))
  }

  /** Keeps the appointments that fall before `t`. */
  runTo(t: number): readonly Change[] {
    const changes: Change[] = []
    for (let due = this.#due(t); due; due = this.#due(t))
      changes.push(...this.#judge(due.id, due.at))
    return changes
  }

  #judge(id: string, now: number): readonly Change[] {
    const facts = this.sessions.facts(id)
    const look = facts && nextLook(facts, now)
    if (look === undefined) this.#looks.delete(id)
    else this.#looks.set(id, look)
    if (!facts) return []
    const verdict = judge(facts, now)
    const before = this.#said.get(id)
    if (before && looksSame(before, verdict)) return []
    this.#said.set(id, verdict)
    return [{ t: now, verdict }]
  }

  #due(t: number): { id: string; at: number } | undefined {
    let first: { id: string; at: number } | undefined
    for (const [id, at] of this.#looks) if (at < t && (!first || at < first.at)) first = { id, at }
    return first
  }
}
