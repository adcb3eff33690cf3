import { lstatSync } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { spoolName } from './spool-parse.ts'

/** The most names in memory; a larger backlog is listed again when this part is done. */
export const LISTING_MAX = 250_000
/** Names fetched from the system at once. */
const READ_AHEAD = 1_024
/** A slice of this many takes about 5 ms; events are handled between two slices. */
const SLICE = 1_000

/** Names in the folder, oldest first. At most once per backlog: listing is the costly part. */
export async function listByAge(
  folder: string,
  wanted: (name: string) => boolean,
): Promise<string[]> {
  // Listing a folder during writes may return a file twice (seen on tmpfs).
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

/** Files of one moment: by writer, then in the writer's own order. */
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
