import { expect, it } from 'vitest'
import { deliveryOf } from './delivery.ts'

const delivery = { sequence: 7, count: 3, storedAt: 1_795_023_448_736 }

it.each([
  '$JS.ACK.KV_x.m_0.1.7.3.1795023448735835371.0',
  '$JS.ACK.hub.AbCd.KV_x.m_0.1.7.3.1795023448735835371.0.random',
  '$JS.ACK._.AbCd.KV_x.m_0.1.7.3.1795023448735835371.0',
])('[FL65] the place and time of an entry are read from %s', (reply) => {
  expect(deliveryOf(reply)).toEqual(delivery)
})

it('[FL65] other subjects are no delivery', () => {
  for (const reply of [undefined, '', '_INBOX.x', '$JS.ACK.KV_x'])
    expect(deliveryOf(reply)).toBeUndefined()
})
