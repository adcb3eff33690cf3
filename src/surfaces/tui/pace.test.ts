import { describe, expect, it } from 'vitest'
import { CALM_MS, KEY_MS, Pace } from './pace.ts'

/** A clock that the test moves. */
function scene() {
  let now = 0
  let timers: { at: number; act: () => void }[] = []
  const frames: number[] = []
  const pace = new Pace(() => frames.push(now), {
    now: () => now,
    after: (ms, act) => {
      const timer = { at: now + ms, act }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
  })
  const passTo = (at: number) => {
    for (;;) {
      const [due] = timers.toSorted((a, b) => a.at - b.at)
      if (!due || due.at > at) break
      timers = timers.filter((other) => other !== due)
      now = due.at
      due.act()
    }
    now = at
  }
  return { pace, frames, passTo }
}

describe('[TU19] frames', () => {
  it('come at once after a rest', () => {
    const { pace, frames, passTo } = scene()
    pace.ask(CALM_MS)
    passTo(0)
    expect(frames).toEqual([0])
  })

  it('are never more than 30 a second, whatever is asked for', () => {
    const { pace, frames, passTo } = scene()
    for (let t = 0; t < 1_000; t++) {
      passTo(t)
      pace.ask(0)
    }
    expect(frames.length).toBeGreaterThan(25)
    expect(frames.length).toBeLessThanOrEqual(30)
  })

  it('of changes without a key are seven a second; a key is drawn at once', () => {
    const { pace, frames, passTo } = scene()
    for (let t = 0; t < 1_000; t += 10) {
      passTo(t)
      pace.ask(CALM_MS)
    }
    expect(frames).toHaveLength(7)
    passTo(1_000)
    pace.ask(KEY_MS)
    passTo(1_000 + KEY_MS)
    expect(frames).toHaveLength(8)
  })

  it('end with the view', () => {
    const { pace, frames, passTo } = scene()
    pace.ask(KEY_MS)
    pace.stop()
    passTo(1_000)
    expect(frames).toEqual([])
  })
})
