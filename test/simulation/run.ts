/** `npm run sim -- --seeds N [--from K]`: more seeds than the test has time for. */
import { simulate } from './simulate.ts'

const option = (name: string, value: number) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? value : Number(process.argv[at + 1])
}
const seeds = option('--seeds', 10_000)
const from = option('--from', 0)
const begin = Date.now()
let judgedMs = 0
let reports = 0
let failed = 0
for (let seed = from; seed < from + seeds; seed++) {
  const outcome = simulate(seed)
  judgedMs += outcome.judgedMs
  reports += outcome.reports
  if (outcome.misses.length > 0) {
    failed += 1
    const [miss] = outcome.misses
    process.stdout.write(
      `seed ${seed} (lost: ${outcome.faults.lost ?? 'nothing'}) ${JSON.stringify(miss)}\n`,
    )
  }
  if (process.stderr.isTTY && seed % 100 === 0) process.stderr.write(`\r${seed - from} of ${seeds}`)
}
const seconds = ((Date.now() - begin) / 1000).toFixed(1)
const hours = Math.round(judgedMs / 3_600_000)
const told = `${seeds} lives, ${reports} reports, ${hours} h judged after the faults`
process.stdout.write(`${told}, ${failed} wrong for over 12 s, in ${seconds} s\n`)
process.exitCode = failed > 0 ? 1 : 0
