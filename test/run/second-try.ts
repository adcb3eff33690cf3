import { type Outcome, wordsFor } from './outcome.ts'
import type { SecondTries } from './second-tries.ts'
import { BROWSER, CLIENT, isAmong } from './sets.ts'
import { runVitest, type VitestRun } from './vitest.ts'

/**
 * Runs tests, and a file with a failed test once more, alone, if a real client or browser takes
 * part in it: on a busy machine those are late now and then. Every second try is written to the
 * report; too many of them fail the run, and so does a test that fails twice.
 */
export function runWithSecondTry(
  args: readonly string[],
  report: SecondTries,
  vitest = runVitest,
): VitestRun {
  const first = vitest(args)
  const failed = first.outcomes.filter(({ state }) => state === 'failed')
  if (first.code === 0 || failed.length === 0) return first
  const refusal = refusalFor(failed, report)
  if (refusal) {
    process.stdout.write(`\nno second try: ${refusal}\n`)
    return first
  }
  const files = [...new Set(failed.map(({ file }) => file))]
  process.stdout.write(`\na second try, alone: ${files.join(', ')}\n`)
  const second = vitest([...args, '--no-file-parallelism', ...files])
  for (const before of failed) report.add(before, again(before, second.outcomes))
  const others = first.outcomes.filter(({ file }) => !files.includes(file))
  return { code: second.code, outcomes: [...others, ...second.outcomes] }
}

/** In these a real client or a real browser takes part. */
const MAY = [...BROWSER, ...CLIENT]

function refusalFor(failed: readonly Outcome[], report: SecondTries): string | undefined {
  const other = failed.find(({ file }) => !isAmong(file, MAY))
  if (other) return `${other.file} has no real client and no browser`
  const count = failed.length === 1 ? '1 test' : `${failed.length} tests`
  return failed.length > report.left ? `${count} failed, and ${report.left} more may` : undefined
}

/** A hook that passes has no outcome of its own; its file has others then. */
function again({ file, name }: Outcome, second: readonly Outcome[]): string {
  const own = second.filter((outcome) => outcome.file === file)
  const same = own.find((outcome) => outcome.name === name)
  if (same) return wordsFor(same)
  return own.length > 0 ? 'passed' : 'did not run'
}
