import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Outcome } from './outcome.ts'
import { SecondTries } from './second-tries.ts'
import { runWithSecondTry } from './second-try.ts'

const PAGE = 'test/page/board.test.ts'

let folder: string
let report: SecondTries
let printed: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-second-try-'))
  report = new SecondTries(join(folder, 'cache/report.txt'))
  printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

function failed(name: string, file = PAGE, why = 'too late'): Outcome {
  return { file, name, state: 'failed', why }
}

function passed(name: string, file = PAGE): Outcome {
  return { file, name, state: 'passed' }
}

/** A run of vitest that ends like this, and a second one. */
function run(...tries: readonly (readonly Outcome[])[]) {
  const asked: (readonly string[])[] = []
  const { code } = runWithSecondTry(['--config', 'x'], report, (args) => {
    const outcomes = tries[asked.length] ?? []
    asked.push(args)
    return { code: outcomes.every(({ state }) => state === 'passed') ? 0 : 1, outcomes }
  })
  return { code, asked: asked.map((args) => args.slice(2).join(' ')), lines: report.lines }
}

it('a run in which nothing fails is the only one', () => {
  expect(run([passed('shows')])).toEqual({ code: 0, asked: [''], lines: [] })
})

it('a test that failed is tried once more, alone, and named with both outcomes', () => {
  expect(run([passed('shows'), failed('is\nlate')], [passed('shows'), passed('is\nlate')])).toEqual(
    {
      code: 0,
      asked: ['', `--no-file-parallelism ${PAGE}`],
      lines: [`${PAGE} > is late: failed (too late), then passed`],
    },
  )
})

it('what fails twice fails, and is in the report', () => {
  const lines = [`${PAGE} > is late: failed (too late), then failed (again)`]
  expect(run([failed('is late')], [failed('is late', PAGE, 'again')])).toMatchObject({
    ...{ code: 1, lines },
  })
})

it('a hook that failed is one try, and passes by being no news', () => {
  const first = [failed('before its tests'), { ...passed('shows'), state: 'skipped' as const }]
  const lines = [`${PAGE} > before its tests: failed (too late), then passed`]
  expect(run(first, [passed('shows')])).toMatchObject({ code: 0, lines })
})

it('a second try that did not get as far as its tests has not passed', () => {
  const lines = [`${PAGE} > is late: failed (too late), then did not run`]
  expect(run([failed('is late')], [])).toMatchObject({ lines })
})

it('more than two have no second try', () => {
  const three = [failed('a'), failed('b'), failed('c', 'test/e2e/vigil.test.ts')]
  expect(run(three)).toEqual({ code: 1, asked: [''], lines: [] })
  expect(printed).toContain('no second try: 3 tests failed, and 2 more may')
})

it('the report counts over several runs, until it is cleared', () => {
  run([failed('a')], [passed('a')])
  run([failed('b')], [passed('b')])
  expect(run([failed('c')])).toMatchObject({ code: 1, asked: [''], lines: { length: 2 } })
  expect(printed).toContain('no second try: 1 test failed, and 0 more may')
  report.clear()
  expect(run([failed('c')], [passed('c')])).toMatchObject({ code: 0, lines: { length: 1 } })
})

it('a test without a real client or browser has no second try', () => {
  const file = 'test/faults/clock.test.ts'
  expect(run([failed('late'), failed('wrong', file)])).toMatchObject({ code: 1, lines: [] })
  expect(printed).toContain(`no second try: ${file} has no real client and no browser`)
})

it('an error outside of all tests has no second try', () => {
  expect(run([]).asked).toEqual([''])
})
