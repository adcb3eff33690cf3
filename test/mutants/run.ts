/**
 * `npm run mutants [-- PART-OF-A-NAME]`: breaks one rule at a time in a copy of the project and
 * sees that the named test fails. A breakage that no test notices is a test that cannot fail.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DAEMON_MUTANTS } from './daemon-mutants.ts'
import { LOOP_MUTANTS } from './loop-mutants.ts'
import { MACHINE_MUTANTS } from './machine-mutants.ts'
import { MUTANTS, type Mutant } from './mutants.ts'
import { NOTIFY_MUTANTS } from './notify-mutants.ts'
import { TMUX_MUTANTS } from './tmux-mutants.ts'
import { TUI_MUTANTS } from './tui-mutants.ts'
import { VIEW_MUTANTS } from './view-mutants.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const wanted = process.argv[2] ?? ''
const copy = mkdtempSync(join(tmpdir(), 'vigil-mutants-'))
let survivors = 0

try {
  for (const part of [
    'src',
    'test',
    'package.json',
    'vitest.config.ts',
    'vitest.slow.config.ts',
    'hook',
    'lab',
    'tsconfig.base.json',
    'SPEC.md',
    'bin',
    'demo',
  ])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const all = [
    ...MUTANTS,
    ...DAEMON_MUTANTS,
    ...LOOP_MUTANTS,
    ...MACHINE_MUTANTS,
    ...VIEW_MUTANTS,
    ...TUI_MUTANTS,
    ...NOTIFY_MUTANTS,
    ...TMUX_MUTANTS,
  ]
  const chosen = all.filter(({ breaks }) => breaks.includes(wanted))
  for (const mutant of chosen) {
    const verdict = tried(mutant)
    if (verdict !== undefined) survivors += 1
    process.stdout.write(`${verdict === undefined ? 'caught  ' : 'SURVIVED'} ${mutant.breaks}\n`)
    if (verdict !== undefined) process.stdout.write(`         ${mutant.caughtBy}: ${verdict}\n`)
  }
  process.stdout.write(`${chosen.length - survivors} of ${chosen.length} breakages caught\n`)
} finally {
  rmSync(copy, { recursive: true, force: true, maxRetries: 10 })
}
process.exitCode = survivors > 0 ? 1 : 0

/** Undefined when the named test failed, else what happened instead. */
function tried({ file, find, replace, test, caughtBy }: Mutant): string | undefined {
  const path = join(copy, file)
  const whole = readFileSync(path, 'utf8')
  if (whole.split(find).length !== 2) return `does not stand exactly once in ${file}: ${find}`
  try {
    writeFileSync(
      path,
      whole.replace(find, () => replace),
    )
    const failed = failedTests(test)
    if (failed.some((title) => title.includes(`[${caughtBy}`))) return undefined
    return failed.length === 0 ? 'no test failed' : `other tests failed: ${failed[0]}`
  } finally {
    writeFileSync(path, whole)
  }
}

/** Titles of the tests that failed; a run without tests, or one that broke, is no evidence. */
function failedTests(test: string): string[] {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const out = join(copy, 'result.json')
  rmSync(out, { force: true })
  const args = [vitest, 'run', test, '--reporter=json', `--outputFile=${out}`]
  const { stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
  if (!existsSync(out)) throw new Error(`vitest did not run ${test}: ${stderr.slice(0, 500)}`)
  const report = JSON.parse(readFileSync(out, 'utf8')) as Report
  if (report.numTotalTests === 0) throw new Error(`no tests in ${test}: ${stderr.slice(0, 500)}`)
  return report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  )
}

interface Report {
  readonly numTotalTests: number
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}
