import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Reload } from './reload.ts'

let loads = 0
let takesMs = 0

beforeEach(() => {
  vi.useFakeTimers()
  loads = 0
  takesMs = 0
})
afterEach(() => vi.useRealTimers())

function reload(firstAfterMs = 0): Reload {
  const load = async () => {
    loads += 1
    await new Promise((resolve) => setTimeout(resolve, takesMs))
  }
  return new Reload(load, (tookMs) => Math.max(1_000, 20 * tookMs), firstAfterMs)
}

describe('a figure that is loaded again', () => {
  it('[IN33] is not loaded while nothing changes', async () => {
    const figure = reload()
    figure.want()
    await vi.advanceTimersByTimeAsync(0)
    expect(loads).toBe(1)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(loads).toBe(1)
    figure.want()
    await vi.advanceTimersByTimeAsync(0)
    expect(loads).toBe(2)
  })

  it('[IN33] is loaded once for all changes within the pause', async () => {
    const figure = reload(250)
    for (let i = 0; i < 100; i += 1) {
      figure.want()
      await vi.advanceTimersByTimeAsync(30)
    }
    expect(loads).toBe(3)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(loads).toBe(4)
  })

  it('[IN33] is loaded again if it changed meanwhile, less often if that takes long', async () => {
    takesMs = 500
    const figure = reload()
    figure.want()
    await vi.advanceTimersByTimeAsync(100)
    figure.want()
    await vi.advanceTimersByTimeAsync(500 + 9_800)
    expect(loads).toBe(1)
    await vi.advanceTimersByTimeAsync(400)
    expect(loads).toBe(2)
  })

  it('[IN33] is not loaded once it is left', async () => {
    const figure = reload(250)
    figure.want()
    figure.stop()
    figure.want()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(loads).toBe(0)
  })
})
