import { afterEach, expect, it, vi } from 'vitest'
import { aSession } from '../../../test/support/sessions.ts'
import type { RemoteNews } from '../../client/surface-context.ts'
import { FarFigures } from './far-figures.ts'

afterEach(() => vi.useRealTimers())

it('[FL94] figures of other machines follow within a second, once for many rows', () => {
  vi.useFakeTimers()
  const listeners = new Set<(news: RemoteNews) => void>()
  const row = aSession({ id: 'a', own: false })
  const onRow = (listener: (news: RemoteNews) => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const painted = vi.fn()
  const figures = new FarFigures({ rows: () => [row], onRow }, painted)
  expect(figures.rows()).toEqual([row])
  for (let n = 0; n < 1_000; n++)
    for (const tell of listeners) tell({ kind: 'session', session: row })
  vi.advanceTimersByTime(1_000)
  expect(painted).toHaveBeenCalledTimes(1)
  for (const tell of listeners) tell({ kind: 'session', session: row })
  figures.close()
  vi.advanceTimersByTime(5_000)
  expect([painted.mock.calls.length, listeners.size]).toEqual([1, 0])
  expect(new FarFigures(undefined, painted).rows()).toEqual([])
})
