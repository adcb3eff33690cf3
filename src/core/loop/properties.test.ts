import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyRun, anyStop, time } from '../../../test/support/loop-arbitraries.ts'
import { NOW } from '../../../test/support/loop-machine.ts'
import { ISSUE_MAX, LOOP_MAX, LOOP_STALE_MS } from '../limits.ts'
import { decide } from './decide.ts'
import { takesItems } from './grind.ts'
import { resumeRun } from './holds.ts'
import type { LoopRun, RunFrame } from './run.ts'
import { signalLine } from './signal-words.ts'
import { signalIn } from './signals.ts'
import { isOver } from './stack.ts'
import type { Stop } from './stop.ts'

it('[LP1][LP4][LP5][LP6][LP7][LP16] blocks only what is sound, fresh and free', () => {
  let blocks = 0
  fc.assert(
    fc.property(anyRun, anyStop, time, (before, said, now) => {
      const decision = decide(before, said, now)
      if (decision.act !== 'block') return
      blocks += 1
      expect(said.disabled || isOver(before) || before.hold !== undefined).toBe(false)
      expect(now - before.updatedAt).toBeLessThanOrEqual(LOOP_STALE_MS)
      expect(said.breaker).toBeUndefined()
      const top = decision.run.stack.at(-1) as RunFrame
      expect(top.iter).toBeLessThanOrEqual(Math.min(top.max, LOOP_MAX))
      for (const { iter, max, deadlineAt = now + 1, budgetUsd } of before.stack) {
        expect(Number.isSafeInteger(iter) && Number.isSafeInteger(max)).toBe(true)
        expect(deadlineAt).toBeGreaterThan(now)
        expect(budgetUsd === undefined || said.costUsd !== undefined).toBe(true)
      }
    }),
    { numRuns: 20_000 },
  )
  // A property of blocks proves nothing where no block occurred.
  expect(blocks).toBeGreaterThan(1_000)
})

it('[LP17] a block is fresh and told, counts its own frame, and says the count first', () => {
  fc.assert(
    fc.property(anyRun, anyStop, time, (before, said, now) => {
      const decision = decide(before, said, now)
      if (decision.act !== 'block') return
      const { updatedAt, unsaid, parkedTimes, stack } = decision.run
      expect([updatedAt, unsaid, parkedTimes]).toEqual([now, false, 0])
      const { iter, max } = stack.at(-1) as RunFrame
      expect(decision.reason.startsWith(`[ITERATION ${iter}/${max}] Continue`)).toBe(true)
      expect(iter).toBeLessThanOrEqual(max)
    }),
    { numRuns: 10_000 },
  )
})

it('[LP7] what is held comes back untouched, or ends', () => {
  fc.assert(
    fc.property(anyRun, anyStop, time, (before, said, now) => {
      fc.pre(before.hold !== undefined && !isOver(before))
      const decision = decide(before, said, now)
      if (decision.act !== 'allow') throw new Error('held, and yet not let through')
      expect(decision.run === before || decision.run?.stack.length === 0).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

it('[LP29] every run ends, whatever its agent says, and no count goes back', () => {
  let longest = 0
  fc.assert(
    fc.property(anyRun, fc.infiniteStream(anyStop), (given, said) => {
      const run = { ...given, updatedAt: NOW, stack: given.stack.map(endless) }
      const stops = theStops(run, said)
      longest = Math.max(longest, stops.filter((act) => act === 'block').length)
      expect(stops.filter((act) => act === 'block').length).toBeLessThanOrEqual(blocksLeft(run))
    }),
    { numRuns: 500 },
  )
  expect(longest).toBeGreaterThan(100)
})

/** Without the limits that would end it early: the longest it can take. */
function endless({ deadlineAt, budgetUsd, ...frame }: RunFrame, i: number): RunFrame {
  return { ...frame, id: `f${i}`, patience: 0, taken: [] }
}

/** Stop after Stop until it is over; every chore is done, every hold resumed. */
function theStops(run: LoopRun, said: fc.Stream<Stop>): string[] {
  const acts: string[] = []
  for (let present = run; !isOver(present); ) {
    const { breaker, ...stop } = said.next().value as Stop
    const next = { item: { id: `item ${acts.length}`, title: 'One.' } }
    const whole = { ...stop, disabled: false, check: { exitCode: 1, output: '' }, next }
    const decision = decide(resumeRun(present, NOW), whole, NOW)
    if (decision.act === 'chore' || !decision.run) throw new Error('every chore was done')
    for (const { id, iter } of decision.run.stack) {
      const before = present.stack.find((frame) => frame.id === id)
      expect(iter).toBeGreaterThanOrEqual(before?.iter ?? 0)
    }
    acts.push(decision.act)
    present = decision.run
  }
  return acts
}

function blocksLeft({ stack }: LoopRun): number {
  return stack.reduce((sum, frame) => {
    const left = Math.max(0, Math.min(frame.max, LOOP_MAX) - frame.iter)
    return sum + (left || 0) * (takesItems(frame) ? ISSUE_MAX : 1)
  }, 0)
}

it('[LP9] no text around it makes a signal in a fence count, nor one in the open not', () => {
  const line = signalLine('loop', 'COMPLETE') ?? ''
  const unit = fc.constantFrom('a', ' ', '\n', '*', '_', '[', ']', '(', ')', '#', '=', '&', '|')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      expect(signalIn(`${text}\n\n\`\`\`\n${line}\n\`\`\`\n${text}`, 'loop')).toBeUndefined()
      expect(signalIn(`${text}\n\n${line}\n\n${text}`, 'loop')).toBe('COMPLETE')
    }),
    { numRuns: 500 },
  )
})
