/**
 * `npm run lab:peers [-- FILE…] [--json]`: vigil, earlier systems and peers on the same recordings,
 * by the project's own meter.
 */
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openRecordings } from '../src/surfaces/cli/recordings.ts'
import { allPeers } from './peers/all.ts'
import type { Absent, Peer } from './peers/peer.ts'
import { scorePeer } from './peers/score.ts'
import { sorted, tableOf } from './peers/table.ts'

const HELP = `Usage: npm run lab:peers [-- FILE…] [--json] [--tail SECONDS]

Scores vigil, the rules of earlier systems and ccmanager's own detector on recordings
(test/recordings/*.jsonl unless files are given), the best first.

right         share of the time in which the true state was said
balanced      the same as a mean over working, waiting, idle and closed; a failed turn counts as
              idle there, and who says error in its place loses nothing
error         share of the time after a failed turn in which it was called one
longest wrong the longest time on end in which something else was said
final right   runs at whose end the true state was said
delay         median time from the client's own word to the peer's, of the changes it showed
never shown   true changes that were not said before the next one

  --json          one JSON object for each row
  --tail SECONDS  continue this long after the last line (20)

The truth is the client's registry file, which vigil reads too: the rows of vigil without it compare
like with like. ccmanager is installed from npm into .cache/peers once; without a network its row
says so. claude-rpg's document gives few of its patterns; the others were written with such
recordings at hand, so its rows are the best it could be, not what it is.

Exit code 2: a file could not be read.
`

interface Options {
  readonly files: readonly string[]
  readonly json: boolean
  readonly tailMs: number
}

/** Undefined if the user asked for help. */
function optionsOf(args: readonly string[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      tail: { type: 'string', default: '20' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return undefined
  const tailMs = Number(values.tail) * 1000
  if (!(tailMs >= 0)) throw new Error(`--tail ${values.tail}: expected a number of seconds`)
  const shipped = fileURLToPath(new URL('../test/recordings/*.jsonl', import.meta.url))
  const files = positionals.length > 0 ? positionals : globSync(shipped).toSorted()
  return { files, json: values.json, tailMs }
}

async function main(args: readonly string[]): Promise<void> {
  const options = optionsOf(args)
  if (!options) return void process.stdout.write(HELP)
  const { recordings, failed } = openRecordings(options.files, (line) => process.stderr.write(line))
  if (failed) process.exitCode = 2
  if (recordings.length === 0) return
  const peers = await allPeers()
  const rows = peers
    .filter((peer): peer is Peer => 'judge' in peer)
    .map((peer) => scorePeer(peer, recordings, options.tailMs))
  const absent = peers.filter((peer): peer is Absent => 'absent' in peer)
  const lines = [...sorted(rows), ...absent].map((row) => `${JSON.stringify(row)}\n`)
  process.stdout.write(options.json ? lines.join('') : tableOf(sorted(rows), absent))
}

await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`lab:peers: ${error.message}\n`)
  process.exitCode = 2
})
