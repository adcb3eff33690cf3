import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CODEX_CONVERSATIONS } from '../lab/codex/scripts/all.ts'
import { resultsIn } from '../lab/run/folder.ts'
import { sumsOf } from '../lab/score/sums.ts'
import { filesOf } from './support/files.ts'

const FOLDER = fileURLToPath(new URL('recordings/codex/', import.meta.url))
const results = resultsIn(FOLDER)
const sums = sumsOf(results)

it('are those that one command makes, and no others', () => {
  const files = readdirSync(FOLDER).map((file) => file.replace('.jsonl', ''))
  expect(files.toSorted()).toEqual(CODEX_CONVERSATIONS.map(({ name }) => name).toSorted())
  expect(files.length).toBeGreaterThanOrEqual(45)
})

it('none has a path of the machine that made it', () => {
  const texts = filesOf('test/recordings/codex/*.jsonl')
  const strange = texts.filter(({ text }) => /\/\.cache\/|\/tmp\/\w/.test(text))
  expect(strange.map(({ path }) => path)).toEqual([])
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

/** What only the client's daemon tells. */
const ONLY_THE_SERVER_TELLS: Readonly<Record<string, string>> = {
  attach: 'the turn goes on in the daemon while there is no terminal',
  daemon_restart: 'the daemon lets go of the thread, and only itself says that it has it again',
  kill9: 'the turn goes on in the daemon without a terminal',
  killpane: 'the turn goes on in the daemon without a terminal',
}

it('what is left out without the server cannot be told without it', () => {
  const wrong = results.filter(
    ({ without }) => !without.server?.finalRight || (without.server.worst?.ms ?? 0) > 3_000,
  )
  expect(wrong.map(({ name }) => name)).toEqual(Object.keys(ONLY_THE_SERVER_TELLS))
})

it.each([
  ['hook', 99, {}],
  ['title', 99, {}],
  ['server', 99, ONLY_THE_SERVER_TELLS],
  ['hook,server', 97, ONLY_THE_SERVER_TELLS],
] as const)('without %s is right at least %i %% of the time', (without, floor, leftOut) => {
  const left = results.filter(({ name }) => !Object.hasOwn(leftOut, name))
  const sum = sumsOf(left).without[without]
  expect(sum?.rightPercent).toBeGreaterThanOrEqual(floor)
  expect(sum?.balancedPercent).toBeGreaterThanOrEqual(floor - 1.5)
})
