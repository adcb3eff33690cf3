import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Folders } from '../../home/folders.ts'
import { writePrivate } from '../../home/private-file.ts'
import { isFar } from './far-calls.ts'

/** The notified calls by session: which call, since when, and by which message of which channel. */
export interface Remembered {
  readonly call: string
  readonly at: number
  readonly told: readonly (readonly [string, string])[]
}

const FILE = z.record(
  z.string(),
  z.object({
    call: z.string(),
    at: z.number(),
    told: z.array(z.tuple([z.string(), z.string()])),
  }),
)

/**
 * SPEC NO9. What the previous daemon notified about, so that it is not repeated. If the file is
 * lost or cannot be written, the worst case is one notification too many.
 */
export class Memory {
  readonly #path: string

  constructor({ state }: Pick<Folders, 'state'>) {
    this.#path = join(state, 'notified.json')
  }

  read(): ReadonlyMap<string, Remembered> {
    try {
      return new Map(Object.entries(FILE.parse(JSON.parse(readFileSync(this.#path, 'utf8')))))
    } catch {
      return new Map()
    }
  }

  /** Writes the file; returns the error, if any. */
  write(remembered: ReadonlyMap<string, Remembered>): string | undefined {
    try {
      writePrivate(this.#path, JSON.stringify(Object.fromEntries(remembered)))
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }
}

/** What was said of a machine that has been away for longer than this is forgotten. */
const FAR_KEPT_MS = 7 * 24 * 3_600_000

/** Sessions whose calls were over when the daemon started. Rows of other machines arrive later. */
export function overAtStart(
  remembered: ReadonlyMap<string, Remembered>,
  calling: ReadonlySet<string>,
  now: number,
): readonly string[] {
  return [...remembered].flatMap(([id, { at }]) => {
    const isAwaited = isFar(id) && at > now - FAR_KEPT_MS
    return calling.has(id) || isAwaited ? [] : id
  })
}
