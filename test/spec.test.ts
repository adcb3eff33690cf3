import { expect, it } from 'vitest'
import { fileOf, filesOf } from './support/files.ts'

const spec = fileOf('SPEC.md').text
const rules = [...spec.matchAll(/^- \*\*([A-Z]{1,2}\d+)\*\*/gm)].map((match) => match[1] as string)
const tests = filesOf('{src,test}/**/*.test.ts')
const code = filesOf('src/**/*.{ts,tsx}').filter(({ path }) => !path.endsWith('.test.ts'))

it('every rule of SPEC.md has an id of its own', () => {
  expect(rules.length).toBeGreaterThan(100)
  expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([])
})

it('every rule of SPEC.md is shown by a test', () => {
  const shown = new Set(tests.flatMap(({ text }) => citedInTitles(text)))
  expect(rules.filter((rule) => !shown.has(rule))).toEqual([])
})

it('every rule that a test cites is in SPEC.md', () => {
  const missing = tests.flatMap(({ path, text }) =>
    citedInTitles(text)
      .filter((rule) => !rules.includes(rule))
      .map((rule) => `${path}: ${rule}`),
  )
  expect(missing).toEqual([])
})

it('every rule that the code cites or names in a verdict is in SPEC.md', () => {
  const missing = code.flatMap(({ path, text }) =>
    citedInCode(text)
      .filter((rule) => !rules.includes(rule))
      .map((rule) => `${path}: ${rule}`),
  )
  expect(missing).toEqual([])
})

it('every recording that SPEC.md names is there', () => {
  const named = [...spec.matchAll(/\(((?:\*[a-z0-9_]+\*(?:, )?)+)\)/g)]
    .flatMap((match) => (match[1] ?? '').split(', '))
    .map((name) => name.replaceAll('*', ''))
  const there = filesOf('test/recordings/*.jsonl').map(({ path }) => path.split('/').at(-1))
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !there.includes(`${name}.jsonl`))).toEqual([])
})

it('every recording that a rule of the screen names is there', () => {
  const { text } = fileOf('src/agents/claude/screen-rules.ts')
  const named = [...text.matchAll(/seenIn: '([^']+)'/g)].map((match) => match[1])
  const there = filesOf('test/recordings/*.jsonl').map(({ path }) => path.split('/').at(-1))
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((name) => !there.includes(`${name}.jsonl`))).toEqual([])
})

/** `it('[W4][W5] …'`, also in `it.each` and in templates. */
function citedInTitles(text: string): string[] {
  const titles = text.matchAll(/['"`]((?:\[[A-Z]{1,2}\d+\] ?)+)/g)
  return [...titles].flatMap((title) =>
    [...(title[1] ?? '').matchAll(/\[(\w+)\]/g)].map((id) => id[1] ?? ''),
  )
}

/** `SPEC W4, W5–W7` in a comment, `rule: 'W1'` in a verdict. */
function citedInCode(text: string): string[] {
  const comments = [...text.matchAll(/SPEC ((?:[A-Z]{1,2}\d+(?:, |–)?)+)/g)].flatMap((match) =>
    (match[1] ?? '').split(/, |–/),
  )
  const verdicts = [...text.matchAll(/rule: '(\w+)'/g)].map((match) => match[1] ?? '')
  return [...comments, ...verdicts].filter((rule) => rule !== '')
}
