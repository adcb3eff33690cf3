import { expect, it } from 'vitest'
import { fileOf, filesOf } from './support/files.ts'
import { spec, specIds } from './support/spec.ts'

const tests = filesOf('{src,test}/**/*.test.ts')
const code = filesOf('src/**/*.{ts,tsx}').filter(({ path }) => !path.endsWith('.test.ts'))

it('every rule has an id of its own', () => {
  expect(specIds.length).toBeGreaterThan(700)
  expect(specIds.filter((rule, index) => specIds.indexOf(rule) !== index)).toEqual([])
})

it('every rule begins with its id', () => {
  const others = spec.split('\n').filter((line) => /^\s*-/.test(line) && !/^- \*\*[A-Z]/.test(line))
  expect(others).toEqual([])
})

it('README lists every section, with its ids', () => {
  const { text } = fileOf('docs/spec/README.md')
  const missing = filesOf('docs/spec/[0-9]*.md').filter((section) => {
    const groups = section.text.match(/(?<=^- \*\*)[A-Z]+/gm)
    const [title] = section.text.split('\n', 1)
    const row = `| [${title?.slice(2)}](${section.path.split('/').at(-1)}) |`
    return !text.includes(`${row} ${[...new Set(groups)].join(', ')} |`)
  })
  expect(missing.map(({ path }) => path)).toEqual([])
})

it('every rule is shown by a test', () => {
  const shown = new Set(tests.flatMap(({ text }) => citedInTitles(text)))
  expect(specIds.filter((rule) => !shown.has(rule))).toEqual([])
})

it('every rule that a test cites exists', () => {
  const missing = tests.flatMap(({ path, text }) =>
    citedInTitles(text)
      .filter((rule) => !specIds.includes(rule))
      .map((rule) => `${path}: ${rule}`),
  )
  expect(missing).toEqual([])
})

it('every rule that the code cites or names in a verdict exists', () => {
  const missing = code.flatMap(({ path, text }) =>
    citedInCode(text)
      .filter((rule) => !specIds.includes(rule))
      .map((rule) => `${path}: ${rule}`),
  )
  expect(missing).toEqual([])
})

it('every recording that a rule names is there', () => {
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
