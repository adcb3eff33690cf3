import { LOOP_MAX, LOOP_STALE_MS } from '../limits.ts'
import type { LoopRun, RunFrame } from './run.ts'
import { roundedSpan, usd } from './text.ts'

/**
 * The limits of a run. Each function returns the violation in words, or undefined. Limits hold for
 * every frame of the stack: an inner loop spends the outer one's time and money.
 */

/**
 * SPEC LP4. After the clock was set back, the last step lies in the future: the run counts as
 * fresh. A run that waits for its user is not stale, however long that takes; only the user resumes
 * it.
 */
export function staleWords(run: LoopRun, now: number): string | undefined {
  if (run.hold && run.hold.kind !== 'parked') return undefined
  const ageMs = now - run.updatedAt
  if (!(ageMs > LOOP_STALE_MS)) return undefined
  return `no iteration for ${roundedSpan(ageMs)}; the limit is ${roundedSpan(LOOP_STALE_MS)}`
}

/**
 * SPEC LP5. A count that is not a number. All are checked before any comparison: against NaN no
 * limit is ever reached.
 */
export function flawOf(run: LoopRun): string | undefined {
  if (!Number.isFinite(run.updatedAt)) return 'updated_at is not a time'
  for (const frame of run.stack) {
    const { iter, max, patience, deadlineAt, budgetUsd } = frame
    if (!isCount(iter)) return `iter of ${frame.id} is not a count: ${iter}`
    if (!isCount(max)) return `max of ${frame.id} is not a count: ${max}`
    if (!isCount(patience)) return `patience of ${frame.id} is not a count: ${patience}`
    if (!isAmount(deadlineAt)) return `the deadline of ${frame.id} is not a time`
    if (!isAmount(budgetUsd)) return `the budget of ${frame.id} is not an amount`
    if (!isAmount(frame.costAtStartUsd)) return `the cost of ${frame.id} is not an amount`
  }
  return undefined
}

/** SPEC LP69. The field of a time or an amount that is not a number and so cannot be shown. */
export function notANumberIn({ updatedAt, stack }: LoopRun): string | undefined {
  if (!Number.isFinite(updatedAt)) return 'updated_at: expected a time like 2027-01-15T08:00:00Z'
  for (const [i, { deadlineAt, budgetUsd }] of stack.entries()) {
    const field = `stack[${i}].vigil`
    if (!isAmount(deadlineAt)) return `${field}.deadlineAt: expected milliseconds since 1970`
    if (!isAmount(budgetUsd)) return `${field}.budgetUsd: expected an amount`
  }
  return undefined
}

/** SPEC LP6. */
export function usedUpWords({ iter, max }: RunFrame): string | undefined {
  const most = Math.min(max, LOOP_MAX)
  return iter >= most ? `${iter} of ${most} iterations are used up` : undefined
}

/** SPEC LP13. */
export function lateWords(run: LoopRun, now: number): string | undefined {
  const ends = run.stack.flatMap(({ deadlineAt }) => deadlineAt ?? [])
  const overMs = now - Math.min(...ends)
  return overMs >= 0 ? `its time ran out ${roundedSpan(overMs)} ago` : undefined
}

/**
 * SPEC LP14. A limit that cannot be measured cannot be enforced: a budget without a cost ends the
 * loop.
 */
export function overspentWords(run: LoopRun, costUsd: number | undefined): string | undefined {
  if (run.stack.every(({ budgetUsd }) => budgetUsd === undefined)) return undefined
  if (costUsd === undefined || !Number.isFinite(costUsd))
    return 'it has a budget, but the cost of the session is not known'
  for (const { budgetUsd, costAtStartUsd } of withCost(run, costUsd).stack) {
    const spentUsd = costUsd - (costAtStartUsd ?? 0)
    if (budgetUsd !== undefined && spentUsd >= budgetUsd)
      return `${usd(spentUsd)} spent of ${usd(budgetUsd)}`
  }
  return undefined
}

/**
 * SPEC LP14. The run with this cost recorded. A session's counter restarts with `/clear` and with a
 * new process; the start of each frame then moves below zero by the amount counted before.
 * Otherwise every `/clear` would reset the budget.
 */
export function withCost(run: LoopRun, costUsd: number | undefined): LoopRun {
  if (costUsd === undefined || !Number.isFinite(costUsd)) return run
  const starts = run.stack.map(({ costAtStartUsd }) => costAtStartUsd ?? 0)
  const seenUsd = Math.max(run.costSeenUsd ?? 0, ...starts)
  const lostUsd = costUsd < seenUsd ? seenUsd : 0
  if (lostUsd === 0) return { ...run, costSeenUsd: costUsd }
  const stack = run.stack.map((frame, i) => ({
    ...frame,
    costAtStartUsd: (starts[i] ?? 0) - lostUsd,
  }))
  return { ...run, stack, costSeenUsd: costUsd }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function isAmount(value: number | undefined): boolean {
  return value === undefined || Number.isFinite(value)
}
