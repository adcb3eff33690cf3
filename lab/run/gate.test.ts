import { expect, it } from 'vitest'
import { resultOf } from '../score/result.ts'
import { sumsOf } from '../score/sums.ts'
import { brokenIn, twoOfThree } from './gate.ts'

async function gate(...runs: (readonly string[])[]) {
  let said = ''
  const played: number[] = []
  const kept = await twoOfThree(
    async (number) => {
      played.push(number)
      return runs[number - 1] ?? []
    },
    (text) => {
      said += text
    },
  )
  return { kept, played, last: said.trimEnd().split('\n\n').at(-1)?.split('\n') }
}

it('two of three runs decide, and all three are printed last', async () => {
  expect(await gate([], ['p99 delay 350 ms, at most 300', 'queue failed'], [])).toEqual({
    kept: true,
    played: [1, 2, 3],
    last: [
      'gate: run 1 of 3 passed',
      'gate: run 2 of 3 failed: p99 delay 350 ms, at most 300; queue failed',
      'gate: run 3 of 3 passed',
      'gate: passed, 2 of 3',
    ],
  })
  expect(await gate(['a'], [], ['b'])).toMatchObject({ kept: false, played: [1, 2, 3] })
})

it('two that end alike are enough, and the third is said not to be played', async () => {
  expect(await gate([], [])).toEqual({
    kept: true,
    played: [1, 2],
    last: [
      'gate: run 1 of 3 passed',
      'gate: run 2 of 3 passed',
      'gate: run 3 of 3 not played, two ended alike',
      'gate: passed, 2 of 2',
    ],
  })
  expect(await gate(['a'], ['a'])).toMatchObject({ kept: false, played: [1, 2] })
})

it('a conversation that failed breaks the gate, and so does one of which nothing is known', () => {
  const run = { name: 'queue', shows: '', client: '2.1.325', lines: [], failed: 'no screen' }
  const results = [resultOf(run)]
  expect(brokenIn(results, sumsOf(results))).toContain('queue failed')
  expect(brokenIn([], sumsOf([]))).toEqual(['nothing was measured'])
})
