import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CODEX_CONVERSATIONS } from '../lab/codex/scripts/all.ts'
import { resultsIn } from '../lab/run/folder.ts'
import { sumsOf } from '../lab/score/sums.ts'

const FOLDER = fileURLToPath(new URL('recordings/codex/', import.meta.url))
const results = resultsIn(FOLDER)
const sums = sumsOf(results)

it('are those that one command makes, and no others', () => {
  const files = readdirSync(FOLDER).map((file) => file.replace('.jsonl', ''))
  expect(files.toSorted()).toEqual(CODEX_CONVERSATIONS.map(({ name }) => name).toSorted())
  expect(files.length).toBeGreaterThanOrEqual(45)
})

it('each has a truth, in the client’s own words', () => {
  const without = results.filter(({ core }) => core === undefined)
  expect(without.map(({ name }) => name)).toEqual([])
})

describe('all sources', () => {
  it('is right at least 99.5 % of the time, and balanced 99 %', () => {
    expect(sums.core?.rightPercent).toBeGreaterThanOrEqual(99.5)
    expect(sums.core?.balancedPercent).toBeGreaterThanOrEqual(99)
  })

  it('is never wrong for over 0.5 s, and ends every run in its true state', () => {
    const wrong = results.filter(({ core }) => (core?.score.worst?.ms ?? 0) > 500)
    expect(wrong.map(({ name, core }) => [name, core?.score.worst])).toEqual([])
    const ends = results.filter(({ core }) => core?.score.finalRight === false)
    expect(ends.map(({ name, core }) => `${name}: ${core?.score.final}`)).toEqual([])
  })

  it('knows for what it waits, soon', () => {
    expect(sums.core?.kindPercent).toBeGreaterThanOrEqual(98)
    expect(sums.core?.delayMedianMs).toBeLessThanOrEqual(60)
  })
})

it.each([
  ['hook', 99],
  ['hook,server', 97],
  ['server', 99],
  ['title', 99],
] as const)('without %s is right at least %i %% of the time', (without, floor) => {
  expect(sums.without[without]?.rightPercent).toBeGreaterThanOrEqual(floor)
  expect(sums.without[without]?.kindPercent).toBeGreaterThanOrEqual(98)
})
