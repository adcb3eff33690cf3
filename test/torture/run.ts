import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { torture } from './torture.ts'

/** `npm run torture [-- --kills 1000] [--seed 1]`: prints what became of every report. */
const argument = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}

const kills = argument('kills', 1_000)
const seed = argument('seed', 1)
const home = mkdtempSync(join(tmpdir(), 'vigil-torture-'))
const begun = performance.now()
const onKill = (count: number) => {
  if (count % 50 === 0) process.stderr.write(`${count} of ${kills} kills\n`)
}
const { lost, doubled, wrongEnd, ...figures } = await torture({ home, kills, seed, onKill })
const seconds = Math.round((performance.now() - begun) / 1000)
const faults = { lost: lost.length, doubled: doubled.length, wrongEnd: wrongEnd.length }
process.stdout.write(`${JSON.stringify({ seed, seconds, ...figures, ...faults }, null, 2)}\n`)
const failed = lost.length + doubled.length + wrongEnd.length > 0
if (failed) process.stderr.write(`kept for you to look at: ${home}\n`)
else rmSync(home, { recursive: true, force: true, maxRetries: 10 })
process.exitCode = failed ? 1 : 0
