import { expect, it } from 'vitest'
import { STATES } from '../../src/core/verdict.ts'
import { type Outcome, simulate } from './simulate.ts'

const SEEDS = 1_000

/** Rules that decide verdicts by themselves; the others shape how these are reached. */
const DECIDING =
  'B1 B3 C1 C2 C3 C6 E1 L1 M2 M4 R4 R5 T1 T3 T4 T5 T6 T7 T8 T9 T10 T11 U1 W1 W2 W9 W10'.split(' ')

const outcomes: Outcome[] = []

it(`[M5] after the faults stop, nothing is judged wrong for over 12 s (${SEEDS} lives)`, () => {
  for (let seed = 0; seed < SEEDS; seed++) outcomes.push(simulate(seed))
  const misses = outcomes.flatMap(({ misses }) => misses.slice(0, 1))
  expect(misses).toEqual([])
})

it('the simulation reached every state', () => {
  const reached = new Set(outcomes.flatMap(({ verdicts }) => verdicts.map(({ state }) => state)))
  expect(STATES.filter((state) => !reached.has(state))).toEqual([])
})

it('the simulation reached every deciding rule, and no rule beyond them', () => {
  const reached = new Set(outcomes.flatMap(({ verdicts }) => verdicts.map(({ rule }) => rule)))
  expect([...reached].toSorted()).toEqual(DECIDING.toSorted())
})

it('the simulation lost each source wholly, and faults of each kind happened', () => {
  const lost = new Set(outcomes.map(({ faults }) => faults.lost))
  expect(lost.size).toBe(9)
  expect(outcomes.some(({ faults }) => faults.duplication > 0)).toBe(true)
  expect(outcomes.some(({ faults }) => faults.delayMaxMs > 0)).toBe(true)
  expect(outcomes.some(({ faults }) => faults.loss.hook > 0.1)).toBe(true)
})

it('[O3] the same seed gives the same verdicts', () => {
  expect(simulate(7).verdicts).toEqual(simulate(7).verdicts)
})
