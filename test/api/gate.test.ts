import { expect, it } from 'vitest'
import { unixEndpoint } from '../../src/daemon/api/endpoint.ts'
import { Gate } from '../../src/daemon/api/gate.ts'
import { ENDPOINT } from './ask.ts'

it('[P3] refusals are counted all, and said five times a second', () => {
  let now = 1_000
  const said: Readonly<Record<string, unknown>>[] = []
  const gate = new Gate(
    (_what, about) => said.push(about),
    () => now,
  )
  const asking = { method: 'BREW'.repeat(9), target: '/', headers: { host: ['evil'] } }
  for (let times = 0; times < 100; times += 1) gate.check(asking, ENDPOINT)
  expect(gate.refused()).toEqual({ host: 100 })
  expect(said).toHaveLength(5)
  now += 1_000
  gate.check({ ...asking, headers: {} }, unixEndpoint(''))
  expect(said).toHaveLength(6)
  expect(said[5]).toEqual({ reason: 'host', transport: 'unix', method: 'BREWBREWBR', unsaid: 95 })
})
