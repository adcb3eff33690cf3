import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { AttachSurface, SurfaceContext } from '../client/surface-context.ts'
import type { Sink } from '../sources/arrival.ts'
import { attachAll, surfaceAtFault } from './attach.ts'
import { ChangeFeed } from './feed.ts'

function scene() {
  const complain = vi.fn<SurfaceContext['complain']>()
  const trouble = vi.fn<SurfaceContext['trouble']>()
  const faultsInTake: unknown[] = []
  const take: Sink = (_, saved, learnt) => {
    faultsInTake.push(surfaceAtFault())
    saved?.()
    learnt?.()
  }
  const changes = new ChangeFeed(
    { firstChangeId: () => 0, lastChangeId: () => 0, changesAfter: () => [] },
    1,
  )
  const session = (id: string) => ({ id, fault: surfaceAtFault() })
  const context = { session, changes, take, complain, trouble } as unknown as SurfaceContext
  return { context, changes, complain, trouble, faultsInTake }
}

const CHANGE = { id: 2, t: 2, session: 'one', kind: 'became' } as never

describe('surfaces in the daemon', () => {
  it('[VW20] one that throws as it is attached is said; the others are attached', async () => {
    const { context, complain, trouble } = scene()
    const close = vi.fn()
    const broken: AttachSurface = () => {
      throw new Error('no such thing')
    }
    const attached = attachAll({ broken, whole: () => [{ close }] }, context)
    expect(complain).toHaveBeenCalledWith(
      'a surface failed',
      expect.objectContaining({ surface: 'broken', error: 'no such thing' }),
    )
    expect(trouble).toHaveBeenCalledWith('surface broken', 'failed: no such thing')
    await attached.close()
    expect(close).toHaveBeenCalledOnce()
  })

  it('[VW20] one that throws at a change costs the daemon and the others nothing', () => {
    const { context, changes, complain } = scene()
    const told = vi.fn()
    const broken: AttachSurface = (on) => {
      on.changes.onChange(() => {
        throw new Error('at a change')
      })
      return []
    }
    const whole: AttachSurface = (on) => {
      on.changes.onChange(() => told(on.changes.after(1, 9).length))
      return []
    }
    attachAll({ broken, whole }, context)
    changes.publish([CHANGE])
    expect(told).toHaveBeenCalledWith(1)
    expect(complain).toHaveBeenCalledOnce()
  })

  it('[VW20] one that throws, rejects or hangs as it is closed holds nothing up', async () => {
    const { context, complain } = scene()
    const surfaces = {
      rejects: () => [{ close: () => Promise.reject(new Error('rejected')) }],
      throws: () => [
        {
          close: () => {
            throw new Error('thrown')
          },
        },
      ],
      hangs: () => [{ close: () => new Promise<void>(() => {}) }],
    }
    const began = Date.now()
    await attachAll(surfaces, context).close()
    expect(Date.now() - began).toBeLessThan(4_000)
    const said = complain.mock.calls.map(([what, { surface, error }]) => [what, surface, error])
    expect(said.toSorted()).toEqual([
      ['a surface does not stop', 'hangs', undefined],
      ['a surface failed', 'rejects', 'rejected'],
      ['a surface failed', 'throws', 'thrown'],
    ])
  })

  it('[VW21] what a surface starts is known as its own, what it asks for is not', async () => {
    const { context, faultsInTake, complain } = scene()
    const seen: unknown[] = []
    const surface: AttachSurface = ({ take, session }) => {
      take([], () => seen.push(surfaceAtFault()))
      seen.push(session('one'))
      void sleep(1).then(() => seen.push(surfaceAtFault()))
      return []
    }
    attachAll({ surface }, context)
    await vi.waitFor(() => expect(seen).toHaveLength(3))
    expect(faultsInTake).toEqual([undefined])
    const [saved, session, later] = seen
    expect(session).toEqual({ id: 'one', fault: undefined })
    expect(later).toBe(saved)
    ;(later as (error: unknown) => void)(new Error('late'))
    expect(complain).toHaveBeenCalledWith(
      'a surface failed',
      expect.objectContaining({ surface: 'surface', error: 'late' }),
    )
    expect(surfaceAtFault()).toBeUndefined()
  })
})
