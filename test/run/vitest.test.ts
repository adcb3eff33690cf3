import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'vigil-vitest-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const TESTS = {
  good: `it('passes', () => {})
    describe.skip('a block (skipped: tmux is not installed)', () => it('waits', () => {}))
    it('goes', ({ skip }) => skip('no root'))`,
  bad: `describe('one', () => it('is two', () => expect(1).toBe(2)))`,
  hook: `describe('a block', () => {
    beforeAll(() => { throw new Error('no\\nserver') })
    it('never runs', () => {})
  })`,
  torn: `throw new Error('cannot be loaded')`,
}

/** In a process of its own, without what this very run has told its workers. */
it('a run of vitest tells how each test ended, and what failed before any', () => {
  for (const [name, text] of Object.entries(TESTS))
    writeFileSync(join(folder, `${name}.test.mjs`), text)
  const { href } = new URL('vitest.ts', import.meta.url)
  const program = `
    const { runVitest } = await import(${JSON.stringify(href)})
    const run = runVitest(['--globals'])
    process.stderr.write('\\n=' + JSON.stringify(run))`
  const { stderr } = spawnSync(
    process.execPath,
    ['--input-type=module-typescript', '-e', program],
    { cwd: folder, env: { PATH: process.env.PATH, HOME: folder }, encoding: 'utf8' },
  )
  const { code, outcomes } = JSON.parse(stderr.split('\n=').at(-1) ?? '')
  expect(code).toBe(1)
  const lines = outcomes.map(
    ({ file, name, state, why }: Record<string, string>) => `${file} ${name}: ${state} ${why}`,
  )
  expect(lines.toSorted()).toEqual([
    'bad.test.mjs one > is two: failed expected 1 to be 2 // Object.is equality',
    'good.test.mjs a block (skipped: tmux is not installed) > waits: skipped tmux is not installed',
    'good.test.mjs goes: skipped no root',
    'good.test.mjs passes: passed undefined',
    'hook.test.mjs a block > never runs: skipped undefined',
    'hook.test.mjs before a block: failed no',
    'torn.test.mjs before its tests: failed cannot be loaded',
  ])
})
