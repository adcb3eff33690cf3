import { expect, it } from 'vitest'
import { RowDigest } from './row-digest.ts'

const PAIRS = [
  ['a', 1],
  ['b', 2],
  ['c', 3],
] as const

function digestOf(pairs: readonly (readonly [string, number])[]): RowDigest {
  const digest = new RowDigest()
  for (const [key, rev] of pairs) digest.add(key, rev)
  return digest
}

it('[FL30] the order of rows does not change the digest', () => {
  expect(digestOf(PAIRS).text).toBe(digestOf(PAIRS.toReversed()).text)
  expect(digestOf(PAIRS).text).toMatch(/^[0-9a-f]{32}$/)
})

it('[FL30] another key, another rev or a missing row is another digest', () => {
  const texts = [
    digestOf(PAIRS),
    digestOf(PAIRS.slice(1)),
    digestOf([...PAIRS.slice(1), ['a', 2]]),
    digestOf([...PAIRS.slice(1), ['d', 1]]),
    digestOf([['a', 12]]),
    digestOf([['a1', 2]]),
  ].map(({ text }) => text)
  expect(new Set(texts).size).toBe(texts.length)
})

it('[FL30] what is removed leaves no trace', () => {
  const digest = digestOf(PAIRS)
  digest.remove('b', 2)
  digest.add('b', 5)
  digest.remove('b', 5)
  expect(digest).toMatchObject({ count: 2 })
  expect(digest.text).toBe(digestOf([PAIRS[2], PAIRS[0]]).text)
  for (const [key, rev] of [PAIRS[0], PAIRS[2]]) digest.remove(key, rev)
  expect(digest).toMatchObject({ count: 0, text: '0'.repeat(32) })
})
