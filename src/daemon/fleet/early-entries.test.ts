import { expect, it } from 'vitest'
import { EARLY_MAX_BYTES, EARLY_OF_ONE_MAX_BYTES, EarlyEntries } from './early-entries.ts'

const KB = 1_000
const entry = (key: string, kilobytes: number) => {
  const value = new Uint8Array(kilobytes * KB)
  return { key, value, storedAt: 0, isOld: true }
}
const keysIn = (early: EarlyEntries) => early.take(() => true).map(({ key }) => key)

it('[FL139] the newest of each key is kept, in the order in which they came', () => {
  const early = new EarlyEntries()
  early.add(entry('row.a.1', 1))
  early.add(entry('row.b.1', 1))
  early.add(entry('row.a.1', 2))
  early.delete('row.c.1')
  expect(early.bytes).toBe(3_600)
  expect(early.take(({ key }) => key.startsWith('row.b')).map(({ key }) => key)).toEqual([
    'row.b.1',
  ])
  expect(early.take(() => true).map(({ value }) => value?.length)).toEqual([2 * KB])
  expect([early.bytes, keysIn(early)]).toEqual([0, []])
})

it('[FL139] of one machine 4 MB are kept, and those of others stay', () => {
  const early = new EarlyEntries()
  early.add(entry('row.b.1', 8))
  for (let n = 0; n < 20_000; n++) early.add(entry(`row.a.${n}`, 8))
  expect(early.bytes).toBeLessThanOrEqual(EARLY_OF_ONE_MAX_BYTES + 8_300)
  const keys = keysIn(early)
  expect(keys[0]).toBe('row.b.1')
  expect(keys.slice(-2)).toEqual(['row.a.19998', 'row.a.19999'])
  expect(keys.length - 1).toBe(Math.floor(EARLY_OF_ONE_MAX_BYTES / 8_300))
})

it('[FL139] in all 64 MB are kept, and a value that is too large is not', () => {
  const early = new EarlyEntries()
  for (let n = 0; n < 200; n++) early.add(entry(`beat.m${n}`, 900))
  expect(early.bytes).toBeLessThanOrEqual(EARLY_MAX_BYTES)
  expect(early.bytes).toBeGreaterThan(EARLY_MAX_BYTES - 1_000 * KB)
  early.add(entry('beat.m199', 5_000))
  const keys = keysIn(early)
  expect([keys.at(-1), keys.length]).toEqual(['beat.m198', Math.floor(64_000 / 900.3) - 1])
})

it('[FL139] what is kept does not hold what arrived with it', () => {
  const early = new EarlyEntries()
  const arrived = new Uint8Array(65_536)
  early.add({ ...entry('row.a.1', 1), value: arrived.subarray(0, 100) })
  const [kept] = early.take(() => true)
  expect(kept?.value?.buffer.byteLength).toBe(100)
})
