/**
 * `npm test`, `npm run verify`: one step after another, and last what was skipped and what was
 * tried twice, also where a step failed.
 *
 *   node test/run/main.ts                            what README asks for
 *   node test/run/main.ts --everything               and all the rest of it
 *   node test/run/main.ts --everything --after-test  the rest alone, in one run with `npm test`
 *   node test/run/main.ts unit [vitest’s arguments]  one step
 */
import { lastWords } from './last-words.ts'
import type { Outcome } from './outcome.ts'
import { SecondTries } from './second-tries.ts'
import { beginEarly, EVERYTHING, STEPS, type Step, type StepName, TEST } from './steps.ts'

const args = process.argv.slice(2)
const report = new SecondTries()
const skipped: Outcome[] = []
const missing: string[] = []
const took: string[] = []

const [first = ''] = args
if (first in STEPS) await run([first as StepName], args.slice(1))
else await run(stepsFor(args))

function stepsFor(flags: readonly string[]): readonly StepName[] {
  const known = ['--everything', '--after-test']
  const wrong = flags.find((flag) => !known.includes(flag))
  if (wrong !== undefined)
    throw new Error(`${wrong}: expected ${known.join(', ')} or ${Object.keys(STEPS).join(', ')}`)
  if (!flags.includes('--everything')) return TEST
  return flags.includes('--after-test') ? EVERYTHING : [...TEST, ...EVERYTHING]
}

async function run(names: readonly StepName[], more: readonly string[] = []): Promise<void> {
  if (!args.includes('--after-test')) report.clear()
  const begun = beginEarly(names)
  let failed: StepName | undefined
  for (const name of names) {
    if (await passes(name, begun[name] ?? STEPS[name], more)) continue
    failed = name
    break
  }
  const words = lastWords({ took, failed, missing, skipped, secondTries: report.lines })
  process.stdout.write(words)
  process.exitCode = failed === undefined ? 0 : 1
}

async function passes(name: StepName, step: Step, more: readonly string[]): Promise<boolean> {
  const begun = performance.now()
  process.stdout.write(`\n== ${name}\n`)
  const { code, outcomes = [], lacks = [] } = await step(more, report)
  took.push(`${name} ${Math.round((performance.now() - begun) / 1000)} s`)
  missing.push(...lacks)
  // With a choice of tests all others are skipped, and that is no news.
  if (more.length === 0) skipped.push(...outcomes.filter(({ state }) => state === 'skipped'))
  return code === 0
}
