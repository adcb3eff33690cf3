import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Outcome, wordsFor } from './outcome.ts'

/**
 * More than a busy moment explains. Measured on two cores beside another job: none to two in a run
 * of everything. More indicate a defect of a test or of vigil.
 */
const SECOND_TRIES_MAX = 2

const REPORT = fileURLToPath(new URL('../../.cache/second-tries.txt', import.meta.url))

/** Tests that were tried twice, one on each line, in a file that outlives the command. */
export class SecondTries {
  readonly #path: string

  constructor(path = REPORT) {
    this.#path = path
  }

  /** For a new run: the results of an earlier one do not count. */
  clear(): void {
    rmSync(this.#path, { force: true })
  }

  get lines(): readonly string[] {
    try {
      return readFileSync(this.#path, 'utf8').trimEnd().split('\n')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  /** How many more a run may have. */
  get left(): number {
    return Math.max(0, SECOND_TRIES_MAX - this.lines.length)
  }

  add(first: Outcome, second: string): void {
    mkdirSync(dirname(this.#path), { recursive: true })
    const names = `${first.file} > ${first.name}`.replaceAll('\n', ' ')
    const line = `${names}: ${wordsFor(first)}, then ${second}`
    appendFileSync(this.#path, `${line}\n`)
  }
}
