import { lstatSync } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { spoolName } from './spool-parse.ts'

/** What one listing holds in memory; a larger backlog is listed again when this part is taken. */
export const LISTING_MAX = 250_000
/** Names asked of the system at once. */
const READ_AHEAD = 1_024
/** A slice of this many is looked at in about 5 ms; events are taken between two slices. */
const SLICE = 1_000

/** Names in the folder, oldest first. Never more often than once a backlog: it is what costs. */
export async function listByAge(
  folder: string,
  wanted: (name: string) => boolean,
): Promise<string[]> {
  // A folder that is written to while it is listed may name a file twice (seen on tmpfs).
  const ages = new Map<string, number>()
  for await (const { name } of await opendir(folder, { bufferSize: READ_AHEAD })) {
    if (wanted(name)) ages.set(name, 0)
    if (ages.size >= LISTING_MAX) break
  }
  const names = [...ages.keys()]
  for (let at = 0; at < names.length; at += SLICE) {
    if (at > 0) await setImmediate()
    for (const name of names.slice(at, at + SLICE))
      ages.set(name, lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  }
  const age = (name: string) => ages.get(name) ?? 0
  return names.sort((a, b) => age(a) - age(b) || byWriter(a, b))
}

/** Files of one moment: in the order of their writers, then of a writer's own files. */
function byWriter(a: string, b: string): number {
  const [one, other] = [spoolName(a), spoolName(b)]
  if (!one || !other) return 0
  return one.pid - other.pid || one.n - other.n
}

interface Aged {
  readonly name: string
  readonly mtimeNs: bigint
}

export function byAge(a: Aged, b: Aged): number {
  if (a.mtimeNs !== b.mtimeNs) return a.mtimeNs < b.mtimeNs ? -1 : 1
  return byWriter(a.name, b.name)
}
