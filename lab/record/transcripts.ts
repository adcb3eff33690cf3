import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import { keptOfEntry } from './keep.ts'
import { namesIn } from './recorder.ts'

interface Tail {
  offset: number
  /** What stands behind the last line break. */
  rest: string
}

/** The part of an entry that matters for a state. */
type Kept = (entry: Record<string, unknown>) => object | undefined

/** Every line that a transcript grows by, its subagents' too. */
export class Transcripts {
  readonly #folder: string
  readonly #kept: Kept
  readonly #tails = new Map<string, Tail>()

  constructor(config: string, folder = 'projects', kept: Kept = keptOfEntry) {
    this.#folder = join(config, folder)
    this.#kept = kept
  }

  look(): RecordedLine[] {
    return namesIn(this.#folder, { recursive: true })
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => this.#grown(join(this.#folder, name)))
  }

  #grown(path: string): RecordedLine[] {
    const tail = this.#tails.get(path) ?? { offset: 0, rest: '' }
    this.#tails.set(path, tail)
    const added = readFrom(path, tail.offset)
    if (added.length === 0) return []
    tail.offset += added.length
    const lines = (tail.rest + added.toString('utf8')).split('\n')
    tail.rest = lines.pop() ?? ''
    const t = Date.now()
    return lines.flatMap((line) => {
      const entry = line === '' ? undefined : this.#kept(JSON.parse(line))
      return entry ? [{ t, source: 'transcript', path, entry }] : []
    })
  }
}

function readFrom(path: string, offset: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const length = Math.max(0, fstatSync(file).size - offset)
    const read = Buffer.alloc(length)
    return read.subarray(0, readSync(file, read, 0, length, offset))
  } finally {
    closeSync(file)
  }
}
