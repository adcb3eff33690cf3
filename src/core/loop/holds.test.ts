import { describe, expect, it } from 'vitest'
import { COMPLETE, decided, frame, NOW, run } from '../../../test/support/loop-machine.ts'
import { LOOP_STALE_MS, PARK_WAITS_MS, STACK_MAX } from '../limits.ts'
import { holdForHuman, parkRun, pauseRun, resumeRun, unparkRun } from './holds.ts'
import type { LoopHold, LoopRun } from './run.ts'
import { canNest, nestFrame, startRun, stopRun } from './stack.ts'
import { loopStateOf } from './state.ts'

const LATER = NOW + 60_000
const over: readonly LoopRun[] = [
  { ...run(), event: 'DONE', reason: 'COMPLETE' },
  { ...run(), event: 'ABORT', reason: 'USER_CANCELLED' },
]

describe('held', () => {
  it.each(['paused', 'parked', 'human'] as const)('[LP7] %s: let through, as it is', (kind) => {
    const hold: LoopHold = { kind, why: 'so', since: NOW }
    const before = { ...run({ iter: 3 }), hold }
    for (const message of ['Not yet.', COMPLETE]) {
      const decision = decided('allow', before, message)
      expect(decision.run).toBe(before)
      expect(decision).toMatchObject({ from: 'ACTIVE', to: 'ACTIVE', why: `${kind}: so` })
    }
    expect(loopStateOf(before)).toBe('ACTIVE')
  })

  it('[LP4][LP7] what waits for a person does not go stale, what is parked does', () => {
    const nextDay = NOW + 86_400_000
    for (const held of [pauseRun(run({}), 'so', NOW), holdForHuman(run({}), 'so', NOW)]) {
      expect(decided('allow', held, {}, nextDay).run).toBe(held)
      decided('block', resumeRun(held, nextDay), {}, nextDay)
    }
    expect(decided('allow', parkRun(run({}), 'so', NOW), {}, nextDay).to).toBe('STUCK')
  })
})

describe('pausing and resuming', () => {
  it('[LP21] a pause holds it, resuming lets it go on where it was', () => {
    const before = run({ iter: 3 }, { iter: 2 })
    const paused = pauseRun(before, 'Esc', LATER)
    expect(paused).toEqual({
      ...before,
      hold: { kind: 'paused', why: 'Esc', since: LATER },
      updatedAt: LATER,
    })
    expect(resumeRun(paused, LATER + 1)).toEqual({ ...before, updatedAt: LATER + 1 })
  })

  it('[LP21] a second pause keeps the first one’s reason', () => {
    const paused = pauseRun(run({}), 'Esc', NOW)
    expect(pauseRun(paused, 'again', LATER)).toBe(paused)
  })

  it('[LP21] resuming forgives what was counted against it', () => {
    const streaks = { message: 'm', sameMessage: 2, failing: 'f', sameFailing: 2, unchanged: 9 }
    const before = pauseRun({ ...run({ patience: 3 }), streaks, parkedTimes: 4 }, 'Esc', NOW)
    const resumed = resumeRun(before, LATER)
    expect(resumed.streaks).toMatchObject({ sameMessage: 0, sameFailing: 0, unchanged: 0 })
    expect(resumed.parkedTimes).toBe(0)
  })

  it('[LP21] stopped is over at once, and the next Stop is let through', () => {
    const stopped = stopRun(pauseRun(run({}, {}), 'Esc', NOW), LATER)
    expect(stopped).toMatchObject({ event: 'ABORT', reason: 'USER_CANCELLED', stack: [] })
    expect(stopped).not.toHaveProperty('hold')
    expect(loopStateOf(stopped)).toBe('ABORTED')
    decided('allow', stopped)
  })

  it.each(over)('[LP21] what is over stays as it ended: $event', (ended) => {
    expect(pauseRun(ended, 'x', LATER)).toBe(ended)
    expect(resumeRun(ended, LATER)).toBe(ended)
    expect(stopRun(ended, LATER)).toBe(ended)
    expect(parkRun(ended, 'x', LATER)).toBe(ended)
    expect(unparkRun(ended, LATER)).toBe(ended)
    expect(holdForHuman(ended, 'x', LATER)).toBe(ended)
    expect(nestFrame(ended, frame(), LATER)).toBe(ended)
  })
})

describe('parking', () => {
  it('[LP22] waits grow, then a human is asked for', () => {
    let present = run({})
    const waits: (number | undefined)[] = []
    let now = NOW
    for (let i = 0; i <= PARK_WAITS_MS.length; i++) {
      present = parkRun(present, 'overloaded', now)
      const { kind, until } = present.hold ?? {}
      waits.push(kind === 'parked' ? (until ?? 0) - now : undefined)
      now = until ?? now
      if (kind === 'parked') present = unparkRun(present, now)
    }
    const minutes = waits.map((ms) => ms && ms / 60_000)
    expect(minutes).toEqual([0.5, 1, 2, 5, 10, 20, 30, undefined])
    expect(present.hold).toMatchObject({ kind: 'human', why: 'overloaded, 8 times in a row' })
    expect(unparkRun(present, now)).toBe(present)
  })

  it('[LP22] an iteration begins the row anew', () => {
    const parked = parkRun(parkRun(run({}), 'limit', NOW), 'limit', NOW)
    expect(parked.parkedTimes).toBe(2)
    const { run: after } = decided('block', unparkRun(parked, LATER), {}, LATER)
    expect(after.parkedTimes).toBe(0)
    expect(after).not.toHaveProperty('hold')
  })

  it('[LP22] resuming a parked loop does not shorten the waits to come', () => {
    const parked = parkRun(run({}), 'limit', NOW)
    expect(parkRun(resumeRun(parked, NOW), 'limit', NOW).hold?.until).toBe(NOW + 60_000)
  })

  it('[LP22] a person’s pause is not undone', () => {
    const paused = pauseRun(parkRun(run({}), 'limit', NOW), 'Esc', NOW)
    expect(paused.hold).toMatchObject({ kind: 'paused', why: 'Esc' })
    expect(parkRun(paused, 'limit', LATER)).toBe(paused)
    expect(holdForHuman(paused, 'x', LATER)).toBe(paused)
    expect(unparkRun(paused, LATER)).toBe(paused)
  })

  it('[LP22] taken up by itself after a night it is stale; by a person it is not', () => {
    const parked = parkRun(run({}), 'limit', NOW)
    const late = NOW + LOOP_STALE_MS + 1
    expect(unparkRun(parked, late)).toMatchObject({ event: 'DONE', reason: 'STUCK', stack: [] })
    expect(resumeRun(parked, late)).toMatchObject({ event: 'STATE', updatedAt: late })
  })
})

describe('nesting', () => {
  it('[LP23] a second loop stands on the first, which keeps its count', () => {
    const before = run({ iter: 3 })
    const nested = nestFrame(before, frame({ id: 'inner', prompt: 'First this.' }), LATER)
    expect(nested.stack).toEqual([...before.stack, frame({ id: 'inner', prompt: 'First this.' })])
    expect(nested).toMatchObject({ unsaid: true, updatedAt: LATER })
    expect(decided('block', nested).reason).toContain('First this.')
    expect(decided('allow', nested, COMPLETE).run?.stack).toEqual(before.stack)
  })

  it('[LP23] a pause holds for what is nested, too', () => {
    const paused = pauseRun(run({}), 'Esc', NOW)
    expect(nestFrame(paused, frame(), LATER).hold).toEqual(paused.hold)
  })

  it('[LP23] at most 16 deep', () => {
    let present = startRun('r', frame(), NOW)
    for (let i = 0; i < 2 * STACK_MAX; i++) present = nestFrame(present, frame(), NOW)
    expect(canNest(present)).toBe(false)
    expect(present.stack).toHaveLength(STACK_MAX)
    expect(nestFrame(present, frame(), LATER)).toBe(present)
  })
})
