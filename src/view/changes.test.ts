import { expect, it } from 'vitest'
import type { HistoryEntry } from '../protocol/session.ts'
import { changesShown } from './changes.ts'

const entry = (id: number, state: string, unread = false) =>
  ({ id, t: id, verdict: { state, unread, typing: false, tasks: [] } }) as unknown as HistoryEntry

it('[VW29] several changes of the same words are one, with the time of the oldest', () => {
  const history = [
    ...[entry(6, 'idle'), entry(5, 'working'), entry(4, 'working', true), entry(3, 'working')],
    ...[entry(2, 'waiting'), entry(1, 'working')],
  ]
  expect(changesShown(history).map(({ id }) => id)).toEqual([6, 3, 2, 1])
  expect(changesShown([])).toEqual([])
})
