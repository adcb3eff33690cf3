/**
 * `npm run mutants [-- PART-OF-A-NAME | 1/8]`: breaks one rule at a time in a copy of the project
 * and sees that the named test fails. A breakage that no test notices is a test that cannot fail.
 * `1/8` takes every eighth from the first on: each run of CI another eighth, by its commit.
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { ALL_MUTANTS } from './all.ts'
import { Copy } from './copy.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const wanted = process.argv[2] ?? ''
const [, part, of] = /^(\d+)\/(\d+)$/.exec(wanted) ?? []
const chosen = ALL_MUTANTS.filter(({ breaks }, i) =>
  of === undefined ? breaks.includes(wanted) : i % Number(of) === Number(part) - 1,
)
if (chosen.length === 0) throw new Error(`${wanted}: no breakage is called so`)
const left = [...chosen]
let survivors = 0

await Promise.all(Array.from({ length: Math.min(availableParallelism(), left.length) }, work))
process.stdout.write(`${chosen.length - survivors} of ${chosen.length} breakages caught\n`)
process.exitCode = survivors > 0 ? 1 : 0

/** One after another in a copy of its own, until none is left. */
async function work(): Promise<void> {
  const copy = new Copy(root)
  try {
    for (let mutant = left.shift(); mutant; mutant = left.shift()) {
      const verdict = await copy.tries(mutant)
      if (verdict !== undefined) survivors += 1
      process.stdout.write(`${verdict === undefined ? 'caught  ' : 'SURVIVED'} ${mutant.breaks}\n`)
      if (verdict !== undefined) process.stdout.write(`         ${mutant.caughtBy}: ${verdict}\n`)
    }
  } finally {
    copy.remove()
  }
}
