import { expect, it } from 'vitest'
import { cpuMs } from '../../test/support/cpu.ts'
import { planTitle } from './plan.ts'
import { detailOf } from './session.ts'

it.each([
  ['# Cache the price list\n\nRequests take **340 ms**.', 'Cache the price list'],
  ['Here is what I would do:\n\n## Move the parser ##\n1. go', 'Move the parser'],
  [
    '\n\n**Plan:** move `src/a_b.ts`, _then_ test *it*\n\n1. go',
    'Plan: move src/a_b.ts, then test it',
  ],
  ['---\n1. Read [the docs](https://a.example)', 'Read the docs'],
  ['> - ~~Drop~~ keep 2 * 3 and snake_case', 'Drop keep 2 * 3 and snake_case'],
  ['Run it\n```sh\n# a comment\n```', 'Run it'],
  ['```\n# all of it is code\n```', 'all of it is code'],
  ['Build it.', 'Build it.'],
  ['**', ''],
  ['', ''],
])('[VW22] a plan %j is called %j', (plan, title) => {
  expect(planTitle(plan)).toBe(title)
})

it('[VW22] a session that waits for approval of its plan shows the plan’s title', () => {
  const request = { text: '# Cache the *list*\n\nIt is slow.' }
  const waits = { state: 'waiting' as const, typing: false, tasks: [], request }
  expect(detailOf({ ...waits, for: 'plan' })).toBe('Cache the list')
  expect(detailOf({ ...waits, for: 'permission' })).toBe('# Cache the *list* It is slow.')
})

it('[VW22] a plan made to cost time costs little', () => {
  const parts = ['[', '](', '*', '_ ', '#', '`', '> ', ' ']
  const ms = cpuMs(() => parts.map((part) => planTitle(part.repeat(50_000))))
  expect(ms).toBeLessThan(500)
})
