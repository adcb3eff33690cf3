import { expect, it } from 'vitest'
import { lastWords } from './last-words.ts'
import type { Outcome } from './outcome.ts'

const NONE = { took: ['lint 3 s'], failed: undefined, missing: [], skipped: [], secondTries: [] }

function skipped(file: string, why?: string): Outcome {
  return { file, name: 'shows', state: 'skipped', ...(why !== undefined && { why }) }
}

it('a run that left nothing out says so', () => {
  expect(lastWords(NONE)).toBe('\npassed: lint 3 s\nskipped: nothing\ntried twice: nothing\n')
})

it('what was skipped stands last with its reason, and what was tried twice after it', () => {
  const run = {
    ...{ took: ['lint 3 s', 'slow 99 s'], failed: 'slow', missing: ['no network: so'] },
    skipped: [
      skipped('a', 'no tmux'),
      skipped('b'),
      skipped('a', 'no tmux'),
      skipped('c', 'no tmux'),
    ],
    secondTries: ['a > b: failed, then passed'],
  }
  expect(lastWords(run).trim().split('\n')).toEqual([
    'FAILED at slow: lint 3 s, slow 99 s',
    'no network: so',
    'skipped, no tmux: 3 tests in a, c',
    'skipped, no reason is given: 1 test in b',
    'tried twice:',
    '  a > b: failed, then passed',
  ])
})
