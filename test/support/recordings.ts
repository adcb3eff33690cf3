import { readdirSync, readFileSync } from 'node:fs'
import type { Report } from '../../src/core/signal.ts'
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

/** A run of a client that never writes its status, or only once. */
export function withoutStatus(reports: readonly Report[], kept: 'none' | 'first'): Report[] {
  const written = new Set<unknown>()
  return reports.filter(({ source, file, pid }) => {
    if (source !== 'registry' || file === null || file === undefined) return true
    if (kept === 'none') return false
    const isFirst = !written.has(pid)
    if ((file as { status?: unknown }).status !== undefined) written.add(pid)
    return isFirst
  })
}
