import { describe, expect, it, vi } from 'vitest'
import { CALL_AHEAD_MAX_MS, CallGuard } from './call-guard.ts'
import { RevGuard } from './replay-guard.ts'

const A = `m${'a'.repeat(24)}`
const B = `m${'b'.repeat(24)}`

describe('revisions', () => {
  it('[FL12] of a key pass once, and only upwards', () => {
    const guard = new RevGuard()
    const passed = [5, 5, 4, 6, 0, 7].map((rev) => guard.accept(`row.${A}.x`, rev))
    expect(passed).toEqual([true, false, false, true, false, true])
    expect([guard.accept(`row.${A}.y`, 1), guard.accept('roster', 0)]).toEqual([true, true])
  })

  it('[FL12] are remembered for so many keys; an old one of a forgotten key is refused', () => {
    const guard = new RevGuard(3)
    for (const [n, key] of ['p', 'q', 'r', 's', 't'].entries())
      expect(guard.accept(`row.${A}.${key}`, n + 10)).toBe(true)
    expect(guard.size).toBe(3)
    expect(guard.accept(`row.${A}.p`, 10)).toBe(false)
    expect(guard.accept(`row.${A}.q`, 11)).toBe(false)
    expect(guard.accept(`row.${A}.t`, 14)).toBe(false)
    expect(guard.accept(`row.${A}.p`, 15)).toBe(true)
    expect(guard.accept(`row.${B}.p`, 1)).toBe(true)
  })

  it('[FL12] of a machine that left are forgotten', () => {
    const guard = new RevGuard()
    guard.accept(`row.${A}.x`, 5)
    guard.accept(`beat.${B}`, 5)
    guard.forget(A)
    expect([guard.accept(`row.${A}.x`, 1), guard.accept(`beat.${B}`, 5)]).toEqual([true, false])
  })
})

describe('calls', () => {
  const once = () => vi.fn(async () => 'done')

  it('[FL13] with a deadline that is over, or further away than a minute, are not done', () => {
    const guard = new CallGuard<string>()
    const run = once()
    const why = (deadline: number) => {
      const admitted = guard.admit(A, { id: `call ${deadline}`, deadline }, 1_000, run)
      return admitted.ok ? 'ok' : admitted.why
    }
    expect([why(1_000), why(0), why(Number.NaN)]).toEqual(['expired', 'expired', 'expired'])
    expect([why(1_001), why(1_000 + CALL_AHEAD_MAX_MS)]).toEqual(['ok', 'ok'])
    expect([why(1_001 + CALL_AHEAD_MAX_MS), why(Infinity)]).toEqual(['far', 'far'])
    expect(guard.size).toBe(2)
  })

  it('[FL14] that are repeated are done once, and get one reply, also meanwhile', async () => {
    const guard = new CallGuard<string>()
    const { promise, resolve: finish } = Promise.withResolvers<string>()
    const run = vi.fn(() => promise)
    const call = { id: 'c1', deadline: 5_000 }
    const first = guard.admit(A, call, 1_000, run)
    const second = guard.admit(A, call, 1_001, run)
    await vi.waitUntil(() => run.mock.calls.length > 0)
    finish('done')
    const third = guard.admit(A, call, 4_999, run)
    const replies = [first, second, third].map((admitted) => admitted.ok && admitted.reply)
    expect(await Promise.all(replies)).toEqual(['done', 'done', 'done'])
    expect([first, second].map((admitted) => admitted.ok && admitted.isRepeat)).toEqual([
      false,
      true,
    ])
    expect(run).toHaveBeenCalledTimes(1)
    expect(guard.admit(A, call, 5_000, run)).toEqual({ ok: false, why: 'expired' })
  })

  it('[FL14] that failed fail again, and are not done again', async () => {
    const guard = new CallGuard<string>()
    const run = vi.fn(() => Promise.reject(new Error('no such session')))
    for (const now of [1, 2]) {
      const admitted = guard.admit(A, { id: 'c1', deadline: 9 }, now, run)
      await expect(admitted.ok && admitted.reply).rejects.toThrow('no such session')
    }
    expect(run).toHaveBeenCalledTimes(1)
  })

  it('[FL14] of two machines are two, if they have one id', async () => {
    const guard = new CallGuard<string>()
    const call = { id: 'c1', deadline: 9 }
    const replies = [A, B].map((machine) => guard.admit(machine, call, 1, async () => machine))
    expect(await Promise.all(replies.map((each) => each.ok && each.reply))).toEqual([A, B])
  })

  it('[FL14] that were done are not done again after the clock was set back', () => {
    const guard = new CallGuard<string>()
    const run = once()
    const call = { id: 'c1', deadline: 5_000 }
    expect(guard.admit(A, call, 1_000, run).ok).toBe(true)
    expect(guard.admit(A, { id: 'c2', deadline: 9_000_000 }, 8_999_000, run).ok).toBe(true)
    expect(guard.admit(A, call, 1_000, run)).toEqual({ ok: false, why: 'expired' })
    expect(guard.admit(A, { id: 'c3', deadline: 5_001 }, 1_000, run).ok).toBe(true)
  })

  it('[FL15] beyond a number are refused, of one machine before those of others', () => {
    const guard = new CallGuard<string>({ max: 3, maxPerMachine: 2 })
    const why = (machine: string, id: string, now = 1) => {
      const admitted = guard.admit(machine, { id, deadline: now + 9 }, now, once())
      return admitted.ok ? 'ok' : admitted.why
    }
    expect([why(A, '1'), why(A, '2'), why(A, '3')]).toEqual(['ok', 'ok', 'full'])
    expect([why(B, '1'), why(B, '2')]).toEqual(['ok', 'full'])
    expect([why(A, '1'), why(B, '2', 10)]).toEqual(['ok', 'ok'])
    expect(guard.size).toBe(1)
  })

  it('[FL15] are fewer than what a key that is held down makes', () => {
    const guard = new CallGuard<string>()
    for (let now = 0; now < 30_000; now += 25)
      expect(guard.admit(A, { id: `${now}`, deadline: now + 8_000 }, now, once())).toMatchObject({
        ok: true,
      })
  })
})
