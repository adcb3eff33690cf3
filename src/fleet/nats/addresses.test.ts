import { expect, it } from 'vitest'
import { inTurn } from './connection.ts'

const URLS = ['nats://desk', 'tls://10.0.0.7:4223', 'nats://[fd00::7]:4222']

it.each([
  ['desk:4222', 'nats://desk'],
  ['10.0.0.7:4223', 'tls://10.0.0.7:4223'],
  ['[fd00::7]:4222', 'nats://[fd00::7]:4222'],
])('[FL61] %s, which answered last, is asked first', (answered, first) => {
  for (let time = 0; time < 20; time += 1) {
    const urls = inTurn(URLS, answered)
    expect(urls[0]).toBe(first)
    expect(urls.toSorted()).toEqual(URLS.toSorted())
  }
})

it('[FL61] until one has answered, each may be the first', () => {
  const first = new Set(Array.from({ length: 200 }, () => inTurn(URLS, undefined)[0]))
  expect(first.size).toBe(URLS.length)
})
