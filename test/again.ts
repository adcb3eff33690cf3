/**
 * `node test/again.ts [vitest's arguments]`: runs the tests, and those files in which something
 * failed once more, alone. Real clients, browsers and terminals on a busy machine are late now and
 * then; what fails twice, or in many files at once, is no accident. A second chance is never
 * silent: what needed it is named at the end.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** More files than a busy moment spoils: seen were one or two at a load of ten. */
const ACCIDENTS_MAX = 3

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const args = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'vigil-again-'))
const report = join(folder, 'report.json')

try {
  process.exitCode = run('--reporter=default', '--reporter=json', `--outputFile.json=${report}`)
  const failed = process.exitCode === 0 ? [] : failedIn(report)
  if (failed.length > 0 && failed.length <= ACCIDENTS_MAX) {
    process.stdout.write(`\nonce more, alone: ${failed.join(', ')}\n`)
    process.exitCode = run('--no-file-parallelism', ...failed)
    const how = process.exitCode === 0 ? 'passed alone' : 'failed twice'
    process.stdout.write(`${how}, after failing beside others: ${failed.join(', ')}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function run(...more: string[]): number {
  const given = [VITEST, 'run', ...args, ...more]
  return spawnSync(process.execPath, given, { stdio: 'inherit' }).status ?? 1
}

/** None where it did not get so far, or where the fault is in no file: that is no accident. */
function failedIn(path: string): string[] {
  try {
    const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as Report
    const failed = testResults.filter(({ status }) => status === 'failed')
    return failed.map(({ name }) => relative(process.cwd(), name))
  } catch {
    return []
  }
}

interface Report {
  readonly testResults: readonly { readonly name: string; readonly status: string }[]
}
