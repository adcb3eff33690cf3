/**
 * `npm run lab:events [-- EVENT…]`: what each hook event adds if the client's own file has its
 * state, on the shipped recordings: for which share of the time vigil shows something else without
 * it. With events named: what vigil shows otherwise with these alone.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { readRecording } from '../src/recording/read.ts'
import { ASPECTS, differencesOf, eventsIn, type KeepsEvent } from './score/hook-worth.ts'

const FOLDER = new URL('../test/recordings/', import.meta.url)
const WIDTH = 22

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))
const recordings = files.map((name) =>
  readRecording(name, readFileSync(new URL(name, FOLDER), 'utf8')),
)
const named = process.argv.slice(2)
const events = eventsIn(recordings)
const unknown = named.find((event) => !events.includes(event))
if (unknown !== undefined) {
  process.stderr.write(`${unknown}: expected one of ${events.join(', ')}\n`)
  process.exit(2)
}

print('% of the time', ...ASPECTS)
if (named.length > 0) compare('these alone', (event) => named.includes(event))
else {
  compare('no hook', () => false)
  for (const left of events) compare(`without ${left}`, (event) => event !== left)
}

function compare(title: string, keeps: KeepsEvent): void {
  const differences = differencesOf(recordings, keeps)
  print(title, ...ASPECTS.map((aspect) => differences[aspect].toFixed(2)))
}

function print(title: string, ...cells: readonly string[]): void {
  const shown = cells.map((cell) => cell.padStart(8))
  process.stdout.write(`${title.padEnd(WIDTH + 8)}${shown.join('')}\n`)
}
