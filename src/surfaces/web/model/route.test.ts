import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addressHash, type PageRoute, routeOf, TABS } from './route.ts'

/** Including halves of characters, which no address can contain. */
const anyText = fc
  .array(fc.nat(0xffff), { minLength: 1, maxLength: 20 })
  .map((units) => String.fromCharCode(...units))

it('[PG7] every place has an address, and the address leads there', () => {
  const any = fc.oneof(
    fc.constant<PageRoute>({ at: 'board' }),
    fc.constant<PageRoute>({ at: 'insight' }),
    fc.record({
      at: fc.constant('session' as const),
      id: anyText,
      tab: fc.constantFrom(...TABS),
    }),
  )
  fc.assert(
    fc.property(any, (route) => {
      const there = route.at === 'session' ? { ...route, id: route.id.toWellFormed() } : route
      expect(routeOf(addressHash(route))).toEqual(there)
    }),
  )
})

it.each(['', '#', '#/', '#/s', '#/s/', '#/s/%', '#nonsense', '#/else/x'])(
  '[PG7] %j is the board',
  (hash) => {
    expect(routeOf(hash)).toEqual({ at: 'board' })
  },
)
