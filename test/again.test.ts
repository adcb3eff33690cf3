import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

const AGAIN = fileURLToPath(new URL('again.ts', import.meta.url))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-again-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function tests(name: string, body: string): void {
  writeFileSync(join(folder, `${name}.test.mjs`), `it('does', async () => { ${body} })\n`)
}

/** Without what this very run has told its own workers. */
function run() {
  const env = { PATH: process.env.PATH, HOME: folder }
  const args = [AGAIN, '--globals']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, env })
  return { status, said: String(stdout).trim().split('\n').at(-1) }
}

it('what fails once is tried again alone, and named', () => {
  tests('good', '')
  tests(
    'late',
    `const { existsSync, writeFileSync } = await import('node:fs')
    const was = existsSync('was')
    writeFileSync('was', '')
    expect(was).toBe(true)`,
  )
  const said = 'passed alone, after failing beside others: late.test.mjs'
  expect(run()).toEqual({ status: 0, said })
})

it('what fails twice fails, and so does what fails in many files at once', () => {
  tests('bad', 'expect(1).toBe(2)')
  const said = 'failed twice, after failing beside others: bad.test.mjs'
  expect(run()).toEqual({ status: 1, said })
  for (const name of ['b', 'c', 'd']) tests(name, 'expect(1).toBe(2)')
  const many = run()
  expect(many.status).toBe(1)
  expect(many.said).not.toContain('after failing')
})
