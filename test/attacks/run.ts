/**
 * `npm run attacks [-- --json]`: runs the tests that attack vigil and prints, for each kind of
 * attacker, how many attempts there were and how many were refused. It exits 1 if one got through,
 * and names every test that was skipped, with its reason.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesOf } from '../support/files.ts'
import { GROUPS, groupOf } from './groups.ts'

interface Attempt {
  readonly title: string
  readonly status: string
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const VITEST = join(root, 'node_modules/vitest/vitest.mjs')
const CONFIGS = ['vitest.config.ts', 'vitest.slow.config.ts', 'vitest.verify.config.ts']
const ids = GROUPS.flatMap(({ rules }) => rules)
const cites = new RegExp(`\\[(${ids.join('|')})\\]`)
const files = filesOf('{src,test}/**/*.test.ts')
  .filter(({ text }) => cites.test(text))
  .map(({ path }) => path)

const attempts = CONFIGS.flatMap((config) => attemptsOf(config))
const rows = GROUPS.map(({ name }) => {
  const own = attempts.filter(({ title }) => groupOf(title) === name)
  const count = (status: string) => own.filter((one) => one.status === status).length
  return { name, attempts: own.length, refused: count('passed'), skipped: count('skipped') }
})
process.stdout.write(process.argv.includes('--json') ? json() : table())
process.exitCode = attempts.some(({ status }) => status === 'failed') ? 1 : 0

/**
 * Each test case is one attempt, or one table of attempts on a route. Files are run whole: some
 * tests go on from where the one before has led.
 */
function attemptsOf(config: string): Attempt[] {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-attacks-'))
  try {
    const report = join(folder, 'report.json')
    const output = ['--reporter=json', `--outputFile=${report}`, '--reporter=dot']
    const given = [VITEST, 'run', '--config', config, ...output, ...files]
    const { status } = spawnSync(process.execPath, given, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    return casesIn(report, status ?? 1)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function casesIn(report: string, status: number): Attempt[] {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const cases = testResults.flatMap(({ assertionResults }) => assertionResults)
  const chosen = cases.filter(({ title }) => cites.test(title))
  if (status !== 0 && cases.length === 0)
    throw new Error('the tests ended with an error before they were run')
  return chosen.map(({ title, status: how }) => ({
    title,
    status: how === 'pending' || how === 'todo' ? 'skipped' : how,
  }))
}

interface Report {
  readonly testResults: readonly { readonly assertionResults: readonly Attempt[] }[]
}

function json(): string {
  const skipped = attempts.filter(({ status }) => status === 'skipped')
  return `${JSON.stringify({ groups: rows, skipped }, null, 2)}\n`
}

function table(): string {
  const lines = rows.map(
    (row) =>
      `${row.name.padEnd(34)}${String(row.attempts).padStart(6)} attempts` +
      `${String(row.refused).padStart(6)} refused${row.skipped ? `  ${row.skipped} skipped` : ''}`,
  )
  const failed = attempts.filter(({ status }) => status === 'failed')
  const skipped = attempts.filter(({ status }) => status === 'skipped')
  return [
    '',
    ...lines,
    ...failed.map(({ title }) => `GOT THROUGH  ${title}`),
    ...skipped.map(({ title }) => `skipped  ${title}`),
    '',
  ].join('\n')
}
