import type { Outcome } from './outcome.ts'

export interface Run {
  /** Each step with its duration. */
  readonly took: readonly string[]
  /** The step that ended the run. */
  readonly failed: string | undefined
  /** What could not be fetched. */
  readonly missing: readonly string[]
  readonly skipped: readonly Outcome[]
  readonly secondTries: readonly string[]
}

/** The end of a run's output: durations, what was not tested, and what needed a second try. */
export function lastWords({ took, failed, missing, skipped, secondTries }: Run): string {
  return [
    '',
    `${failed === undefined ? 'passed' : `FAILED at ${failed}`}: ${took.join(', ')}`,
    ...missing,
    ...skippedLines(skipped),
    ...(secondTries.length === 0 ? ['tried twice: nothing'] : ['tried twice:']),
    ...secondTries.map((line) => `  ${line}`),
    '',
  ].join('\n')
}

/** One line for each reason, with the files. */
function skippedLines(skipped: readonly Outcome[]): string[] {
  const reasons = Map.groupBy(skipped, ({ why = 'no reason is given' }) => why)
  if (reasons.size === 0) return ['skipped: nothing']
  return [...reasons].map(([reason, tests]) => {
    const files = [...new Set(tests.map(({ file }) => file))]
    return `skipped, ${reason}: ${countOf(tests.length)} in ${files.join(', ')}`
  })
}

function countOf(tests: number): string {
  return tests === 1 ? '1 test' : `${tests} tests`
}
