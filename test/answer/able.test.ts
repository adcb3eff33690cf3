import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { RequestRig } from '../support/requests.ts'

const ALLOW = { choice: 'allow', where: 'page' } as const

afterEach(() => void vi.useRealTimers())

async function asked() {
  const rig = new RequestRig()
  rig.able.enter()
  const { name, id } = rig.asks()
  await rig.waits(name)
  return { rig, id }
}

describe('the mark', () => {
  it('[AN12] is there while somebody could answer', () => {
    vi.useFakeTimers()
    const run = mkdtempSync(join(tmpdir(), 'vigil-run-'))
    const marked = () => existsSync(join(run, 'answerable'))
    const { able, ...rig } = new RequestRig({ run })
    try {
      expect(marked()).toBe(false)
      const [first, second] = [able.enter(), able.enter()]
      expect(marked()).toBe(true)
      first()
      first()
      expect(able.could).toBe(true)
      able.use({ on: false, always: false })
      expect(marked()).toBe(false)
      able.use({ on: true, always: false })
      second()
      able.way('ntfy', true)
      vi.advanceTimersByTime(61_000)
      expect(marked()).toBe(true)
      able.way('ntfy', false)
      able.use({ on: true, always: true })
      expect(marked()).toBe(true)
      able.close()
      expect(marked()).toBe(false)
      expect(rig.requests.list()).toEqual([])
    } finally {
      rmSync(run, { recursive: true })
    }
  })
})

it('[AN30] each change of what a session asks is told once', async () => {
  const { rig, id } = await asked()
  rig.hook('one', 'Notification')
  expect(rig.told).toEqual([{ session: 'one', asks: [id] }])
  rig.answer(id, ALLOW, 'ada')
  expect(rig.told.slice(1)).toEqual([{ session: 'one', asks: [] }])
})
