import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  configOf,
  filesOf,
  isAmong,
  isIn,
  LONG,
  REPLACING,
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

it('a file that replaces a module has a process of its own', () => {
  const replaces = (file: string) => /^\s*vi\.(do)?[mM]ock\(/m.test(readFileSync(file, 'utf8'))
  expect(all.filter(replaces)).toEqual(REPLACING)
})

it('what is named as long is there', () => {
  expect(LONG.filter((pattern) => !all.some((file) => isAmong(file, [pattern])))).toEqual([])
})
