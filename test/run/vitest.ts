import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './outcome.ts'

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const REPORTER = fileURLToPath(new URL('reporter.ts', import.meta.url))

export interface VitestRun {
  readonly code: number
  /** None where vitest did not get as far as its tests. */
  readonly outcomes: readonly Outcome[]
}

/** Runs vitest in this terminal, and gives back how each test ended. */
export function runVitest(args: readonly string[]): VitestRun {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-outcomes-'))
  const path = join(folder, 'outcomes.json')
  try {
    const reporters = ['--reporter=default', `--reporter=${REPORTER}`]
    const { status } = spawnSync(process.execPath, [VITEST, 'run', ...reporters, ...args], {
      stdio: 'inherit',
      env: { ...process.env, VIGIL_OUTCOMES: path },
    })
    return { code: status ?? 1, outcomes: readOutcomes(path) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readOutcomes(path: string): readonly Outcome[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Outcome[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
