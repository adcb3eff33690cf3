import { expect, it } from 'vitest'
import { machineNumber } from '../../test/support/members.ts'
import { newMachineKeys } from './keys.ts'
import { lookersOf, lookKeyFor, lookKeyIn } from './lookers.ts'

const [a, b, c] = [1, 2, 3].map(machineNumber) as [string, string, string]
const but = (machine: string) => (other: string) => other !== machine

it('[FL29] rows have a key of their own while some member may not look', () => {
  expect(lookKeyFor(null, [a, b], () => true)).toBeNull()
  const key = lookKeyFor(null, [a, b], but(b))
  expect(key).toMatchObject({ given: [a] })
  expect(lookKeyFor(key, [a, b], () => true)).toBeNull()
})

it('[FL29] there is another key when one who had it may not look any more, or left', () => {
  const key = lookKeyFor(null, [a, b, c], but(c))
  const less = lookKeyFor(key, [a, b, c], (machine) => machine === a)
  expect(less?.given).toEqual([a])
  expect([less?.id === key?.id, less?.key === key?.key]).toEqual([false, false])
  expect(lookKeyFor(key, [a, c], but(c))?.id).not.toBe(key?.id)
})

it('[FL29] a machine that may look now gets the same key', () => {
  const key = lookKeyFor(null, [a, c], but(c))
  expect(lookKeyFor(key, [a, b, c], but(c))).toEqual({ ...key, given: [a, b] })
  expect(lookKeyFor(key, [a, c], but(c))).toEqual(key)
})

it('[FL29] only those who may look can read the key', () => {
  const keys = [newMachineKeys(), newMachineKeys()] as const
  const members = [a, b].map((machine, at) => ({
    ...{ machine, name: machine, joinedAt: 0 },
    ...{ signKey: keys[at]?.signPublic ?? '', boxKey: keys[at]?.boxPublic ?? '' },
  }))
  const key = lookKeyFor(null, [a, b], but(b))
  if (!key) throw new Error('expected a key')
  const lookers = lookersOf(key, members)
  expect(lookers.id).toBe(key.id)
  expect(lookKeyIn(lookers, a, keys[0].boxPrivate)?.toString('base64url')).toBe(key.key)
  expect(lookKeyIn(lookers, b, keys[1].boxPrivate)).toBeUndefined()
  expect(lookKeyIn(lookers, a, keys[1].boxPrivate)).toBeUndefined()
  expect(JSON.stringify(lookers)).not.toContain(key.key)
})
