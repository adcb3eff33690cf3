import { execFile } from 'node:child_process'
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
import { configOf } from '../run/sets.ts'
import type { Mutant } from './mutants.ts'

const PARTS = [
  ...['src', 'test', 'hook', 'plugin', 'lab', 'bin', 'demo', 'tools'],
  ...[
    'package.json',
    'package-lock.json',
    'vitest.config.ts',
    'vitest.slow.config.ts',
    'vitest.verify.config.ts',
    'tsconfig.base.json',
    'docs/spec',
  ],
  'vite.config.ts',
]

/** A copy of the project that may be broken. */
export class Copy {
  readonly #root: string
  readonly #path = mkdtempSync(join(tmpdir(), 'vigil-mutants-'))

  constructor(root: string) {
    this.#root = root
    for (const part of PARTS) cpSync(join(root, part), join(this.#path, part), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(this.#path, 'node_modules'))
  }

  /** Undefined when a test that cites the rule failed, else what happened instead. */
  async tries({ file, find, replace, test, caughtBy }: Mutant): Promise<string | undefined> {
    const path = join(this.#path, file)
    const whole = readFileSync(path, 'utf8')
    if (whole.split(find).length !== 2) return `does not stand exactly once in ${file}: ${find}`
    try {
      writeFileSync(
        path,
        whole.replace(find, () => replace),
      )
      const { run, failed } = await this.#testsOf(test, caughtBy)
      if (failed > 0) return undefined
      return run === 0 ? `no test of ${test} cites it` : 'no test failed'
    } finally {
      writeFileSync(path, whole)
    }
  }

  remove(): void {
    rmSync(this.#path, { recursive: true, force: true, maxRetries: 10 })
  }

  /** How many tests that cite the rule ran, and failed; a run that broke is no evidence. */
  async #testsOf(test: string, rule: string) {
    const vitest = join(this.#root, 'node_modules/vitest/vitest.mjs')
    const out = join(this.#path, 'result.json')
    rmSync(out, { force: true })
    const cited = `\\[${rule}(?!\\d)`
    // One that fails is enough: a breakage may make each of them wait for its time-out.
    const only = ['-t', cited, '--bail=1']
    const config = configOf(test)
    if (config) only.push('--config', config)
    // Nearly every module is as it was for the breakage before: vitest knows them by their text.
    const kept = `--experimental.fsModuleCachePath=${join(this.#path, '.cache/modules')}`
    only.push('--experimental.fsModuleCache', kept)
    const args = [vitest, 'run', test, ...only, '--reporter=json', `--outputFile=${out}`]
    const stderr = await ended(args, this.#path)
    if (!existsSync(out)) throw new Error(`vitest did not run ${test}: ${stderr.slice(0, 500)}`)
    const { testResults } = JSON.parse(readFileSync(out, 'utf8')) as Report
    const states = testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ status }) => status),
    )
    const failed = states.filter((status) => status === 'failed').length
    return { run: failed + states.filter((status) => status === 'passed').length, failed }
  }
}

/** Any exit code will do: what counts is in the report. */
function ended(args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 100_000_000 }, (_error, _stdout, stderr) =>
      resolve(stderr),
    )
  })
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}
