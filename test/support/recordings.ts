import { readdirSync, readFileSync } from 'node:fs'
import { type Recording, readRecording } from '../../src/recording/read.ts'

const folder = new URL('../recordings/', import.meta.url)

/** The recordings of the real client, by name. */
export function allRecordings(): readonly Recording[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .toSorted()
    .map((file) => recordingOf(file.replace('.jsonl', '')))
}

function recordingOf(name: string): Recording {
  return readRecording(name, readFileSync(new URL(`${name}.jsonl`, folder), 'utf8'))
}
