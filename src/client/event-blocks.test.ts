import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EventBlocks } from './event-blocks.ts'

const STREAM = [
  'id: 4\n\n',
  ':\n\n',
  'id: 5\nevent: verdict\ndata: {"a":"b\\nc"}\n\n',
  'event: gone\ndata: {"session":"ä🦉","asks":[]}\n\n',
  'data: {"half":\ndata: 1}\n\n',
].join('')

const EVENTS = [
  { id: '4', event: 'here', data: null },
  { id: '5', event: 'verdict', data: { a: 'b\nc' } },
  { id: null, event: 'gone', data: { session: 'ä🦉', asks: [] } },
  { id: null, event: 'message', data: { half: 1 } },
]

it('[P13] events are the same however their stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 20 }), (cuts) => {
      const blocks = new EventBlocks()
      const places = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length]
      const events = places.slice(1).flatMap((to, at) => blocks.read(STREAM.slice(places[at], to)))
      expect(events).toEqual(EVENTS)
    }),
  )
})

it('[P13] a line without an end is not an event', () => {
  expect(() => new EventBlocks().read('x'.repeat(9_000_000))).toThrow('longer than')
})
