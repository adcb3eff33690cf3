/** `npm run sim:fleet -- --seeds N [--from K]`: more seeds than the test has time for. */
import { simulateFleet } from './simulate.ts'

const option = (name: string, value: number) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? value : Number(process.argv[at + 1])
}
const seeds = option('--seeds', 1_000)
const from = option('--from', 0)
const begin = Date.now()
let failed = 0
for (let seed = from; seed < from + seeds; seed++) {
  const { misses } = await simulateFleet(seed)
  if (misses.length === 0) continue
  failed += 1
  process.stdout.write(`seed ${seed}: ${misses[0]} (${misses.length})\n`)
}
const seconds = ((Date.now() - begin) / 1000).toFixed(1)
process.stdout.write(`${seeds} fleets, ${failed} with a wrong row, in ${seconds} s\n`)
process.exitCode = failed > 0 ? 1 : 0
