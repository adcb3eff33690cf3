import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  configOf,
  filesOf,
  isAmong,
  isIn,
  SEEN_BY_ALL,
  SLOW,
  SLOW_SET,
  VERIFY_SET,
} from './sets.ts'

const all = globSync('{src,lab,test}/**/*.test.ts')
const inSlow = all.filter((file) => isAmong(file, SLOW))

it('every slow test is run by `npm test` or by `npm run verify`', () => {
  const left = inSlow.filter((file) => !isIn(file, SLOW_SET) && !isIn(file, VERIFY_SET))
  expect(left).toEqual([])
  expect(inSlow.filter((file) => configOf(file) === undefined)).toEqual([])
})

it('what the slow part of `npm test` runs, the quick part does not', () => {
  const { clients, others } = filesOf(SLOW_SET)
  expect([clients.length > 2, others.length > 2]).toEqual([true, true])
  expect([...clients, ...others].filter((file) => !inSlow.includes(file))).toEqual([])
  expect(SEEN_BY_ALL.filter((file) => !all.includes(file) || inSlow.includes(file))).toEqual([])
})
