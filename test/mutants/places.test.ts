import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ALL_MUTANTS } from './all.ts'

it('every breakage finds what it breaks exactly once, and the test that is to notice', () => {
  const lost = ALL_MUTANTS.filter(({ file, find, test, caughtBy }) => {
    const isThere = existsSync(file) && readFileSync(file, 'utf8').split(find).length === 2
    return !isThere || !readFileSync(test, 'utf8').includes(`[${caughtBy}]`)
  })
  expect(lost.map(({ breaks }) => breaks)).toEqual([])
})
