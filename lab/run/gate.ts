import { IS_PORTABLE } from '../../src/platform/system.ts'
import { brokenGates, PORTABLE_GATES } from '../score/gates.ts'
import type { Result } from '../score/result.ts'
import type { Sums } from '../score/sums.ts'

/** A busy machine may be late in one run; a wrong rule is wrong in each. */
const RUNS = 3
const NEEDED = 2

/** Broken promises of a run, and conversations that did not reach their end. */
export function brokenIn(
  results: readonly Result[],
  sums: Sums,
  gates = IS_PORTABLE ? PORTABLE_GATES : undefined,
): readonly string[] {
  const failed = results.filter((result) => result.failed !== undefined)
  const broken = brokenGates(sums.live ?? sums.core, gates)
  return [...failed.map(({ name }) => `${name} failed`), ...broken]
}

/** Whether two of three runs keep every promise; prints each, and why a third is not needed. */
export async function twoOfThree(
  run: (number: number) => Promise<readonly string[]>,
  tell: (text: string) => void,
): Promise<boolean> {
  const told: string[] = []
  let [passed, failed] = [0, 0]
  while (passed < NEEDED && failed < NEEDED) {
    const number = told.length + 1
    const broken = await run(number)
    if (broken.length === 0) passed += 1
    else failed += 1
    const outcome = broken.length === 0 ? 'passed' : `failed: ${broken.join('; ')}`
    told.push(`gate: run ${number} of ${RUNS} ${outcome}\n`)
    tell(told.at(-1) ?? '')
  }
  const isKept = passed === NEEDED
  if (told.length < RUNS) told.push(`gate: run ${RUNS} of ${RUNS} not played, two ended alike\n`)
  tell(`\n${told.join('')}gate: ${isKept ? 'passed' : 'FAILED'}, ${passed} of ${passed + failed}\n`)
  return isKept
}
