import fc from 'fast-check'
import { defined } from '../../src/core/loop/fields.ts'
import {
  type ItemSource,
  type LoopHold,
  type LoopRun,
  MODES,
  type RunFrame,
} from '../../src/core/loop/run.ts'
import { signalLine } from '../../src/core/loop/signal-words.ts'
import type { Stop } from '../../src/core/loop/stop.ts'
import { NOW } from './loop-machine.ts'

/** Runs and Stops of every kind: most of them valid, so that some go on. */

const HOUR_MS = 3_600_000
const WORDS = ['COMPLETE', 'STUCK', 'MAX_ITERATIONS', 'DONE', 'NO_MORE_ISSUES', 'MAX_ISSUES']

export const time = fc.integer({ min: NOW - 3 * HOUR_MS, max: NOW + 3 * HOUR_MS })
const word = fc.string({ minLength: 1, maxLength: 8 })
const bad = fc.constantFrom(Number.NaN, -1, 0.5)

function sometimes<T>(value: fc.Arbitrary<T>, weight = 10): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
}

function mostly<T>(value: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 30, arbitrary: value }, { weight: 1, arbitrary: other })
}

const item = fc.record({ id: word, title: word, text: sometimes(word) }).map(defined)

const source: fc.Arbitrary<ItemSource> = fc.oneof(
  fc.record({ kind: fc.constant('github' as const), filter: sometimes(word) }).map(defined),
  fc.record({ kind: fc.constant('checklist' as const), path: word }),
  fc.record({ kind: fc.constant('command' as const), command: word }),
)

const frame: fc.Arbitrary<RunFrame> = fc
  .record({
    id: word,
    mode: fc.constantFrom(...MODES),
    iter: mostly(fc.nat(10), bad),
    max: mostly(fc.integer({ min: 5, max: 30 }), fc.oneof(bad, fc.nat(5_000))),
    startedAt: time,
    patience: mostly(fc.nat(5), bad),
    prompt: sometimes(word, 1),
    promptFile: sometimes(word),
    filter: sometimes(word),
    item: sometimes(item, 2),
    worktree: sometimes(fc.record({ path: word, branch: word, baseRef: word }), 2),
    source: sometimes(source, 2),
    taken: sometimes(fc.array(word, { maxLength: 3 })),
    until: sometimes(word),
    deadlineAt: sometimes(mostly(time, bad)),
    budgetUsd: sometimes(mostly(fc.nat(10), bad)),
    costAtStartUsd: sometimes(fc.nat(10), 1),
  })
  .map(defined)

const hold: fc.Arbitrary<LoopHold> = fc
  .record({
    kind: fc.constantFrom('paused', 'parked', 'human'),
    why: word,
    since: time,
    until: sometimes(time, 1),
  })
  .map(defined)

const streaks = fc.record({
  message: word,
  sameMessage: fc.nat(2),
  failing: word,
  sameFailing: fc.nat(2),
  unchanged: fc.nat(6),
})

export const anyRun: fc.Arbitrary<LoopRun> = fc
  .record({
    id: word,
    event: mostly(fc.constant('STATE'), fc.constantFrom('DONE', 'ABORT')),
    reason: sometimes(word),
    because: sometimes(word),
    startedAt: time,
    updatedAt: mostly(time, fc.constant(Number.NaN)),
    stack: fc.array(frame, { maxLength: 4 }),
    hold: sometimes(hold),
    streaks,
    parkedTimes: fc.nat(9),
    unsaid: fc.boolean(),
    costSeenUsd: sometimes(fc.nat(10)),
  })
  .map(defined)

const signals = MODES.flatMap((mode) => WORDS.flatMap((one) => signalLine(mode, one) ?? []))

export const anyStop: fc.Arbitrary<Stop> = fc
  .record({
    message: fc.oneof(word, fc.constant('Not yet.'), mostly(word, fc.constantFrom(...signals))),
    disabled: mostly(fc.constant(false), fc.constant(true)),
    changed: fc.boolean(),
    costUsd: sometimes(fc.nat(12), 1),
    failing: sometimes(fc.constantFrom('make', 'npm test'), 1),
    breaker: sometimes(fc.record({ why: word, until: fc.integer() })),
    check: sometimes(fc.record({ exitCode: fc.constantFrom(0, 1, null), output: word }), 1),
    next: sometimes(
      fc.oneof(
        fc.record({ item }),
        fc.constant({ none: true as const }),
        fc.record({ error: word }),
      ),
      1,
    ),
    anchor: sometimes(word),
  })
  .map(defined)
