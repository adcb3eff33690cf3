import { expect, it } from 'vitest'
import { OWN_MACHINE } from '../../../../test/support/machines.ts'
import type { Event } from '../model/state.ts'
import { joined } from './joined.ts'

it('[PG3] changes that came in one frame are one step, in their order', () => {
  const gone = (id: number): Event => ({
    kind: 'changed',
    now: id,
    changes: [{ kind: 'gone', id, t: 0, machine: OWN_MACHINE, session: 'a', became: null }],
  })
  const asks: Event = { kind: 'asks', session: 'a', asks: [] }
  const ids = joined([gone(1), gone(2), asks, gone(3)]).map((event) =>
    event.kind === 'changed' ? event.changes.map(({ id }) => id).join() : event.kind,
  )
  expect(ids).toEqual(['1,2', 'asks', '3'])
})
