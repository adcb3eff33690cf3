import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import { namesIn } from './recorder.ts'

/** The client's own status: `sessions/<pid>.json`, after each change. */
export class Registry {
  readonly #folder: string
  readonly #seen = new Map<string, string>()

  constructor(config: string) {
    this.#folder = join(config, 'sessions')
  }

  look(): RecordedLine[] {
    const names = namesIn(this.#folder).filter((name) => /^\d+\.json$/.test(name))
    const changed = names.flatMap((name) => this.#read(name))
    const gone = [...this.#seen.keys()].filter((name) => !names.includes(name))
    for (const name of gone) this.#seen.delete(name)
    const removed = gone.map((name) => lineOf(name, null))
    return [...changed, ...removed]
  }

  #read(name: string): RecordedLine[] {
    let text: string
    let file: Record<string, unknown>
    try {
      text = readFileSync(join(this.#folder, name), 'utf8')
      if (this.#seen.get(name) === text) return []
      file = JSON.parse(text)
    } catch {
      // Half-written, or gone since: the next look sees it.
      return []
    }
    this.#seen.set(name, text)
    // Identifies the machine's boot; no verdict depends on it.
    delete file.pidDomain
    return [lineOf(name, file)]
  }
}

function lineOf(name: string, file: object | null): RecordedLine {
  return { t: Date.now(), source: 'registry', pid: Number.parseInt(name, 10), file }
}
