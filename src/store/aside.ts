import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { filesOf } from './counts.ts'
import type { Fault } from './diagnose.ts'

/** A disk that damages the log at every start must not fill up with damaged logs. */
const CORRUPT_KEPT_MAX = 5

/** Renames the database and its companion files; returns the new name (SPEC D5). */
export function setAside(path: string, { newer }: Fault, now: number): string {
  const kind = newer === undefined ? 'corrupt' : `newer-${newer}`
  const aside = unused(`${path}.${kind}-${stamp(now)}`)
  moveDatabase(path, aside)
  forgetOldest(path)
  return aside
}

/** The database last: SQLite would apply a leftover write-ahead log to the next database. */
export function moveDatabase(from: string, to: string): void {
  const sources = filesOf(from)
  const targets = filesOf(to)
  for (const index of [1, 2, 0] as const)
    if (lstatSync(sources[index], { throwIfNoEntry: false }))
      renameSync(sources[index], targets[index])
}

/** 20261115T230112Z: sorts by time and needs no quoting. */
function stamp(now: number): string {
  return new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
}

function unused(name: string): string {
  if (!existsSync(name)) return name
  for (let n = 2; ; n += 1) if (!existsSync(`${name}.${n}`)) return `${name}.${n}`
}

/** Only files, and only damaged ones: a newer log may be wanted again, a folder is not vigil's. */
function forgetOldest(path: string): void {
  const folder = dirname(path)
  const start = `${basename(path)}.corrupt-`
  const corrupt = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith(start))
    .map(({ name }) => name)
    .filter((name) => !/-(wal|shm)$/.test(name))
    .toSorted()
  for (const name of corrupt.slice(0, -CORRUPT_KEPT_MAX))
    for (const file of filesOf(join(folder, name))) rmSync(file, { force: true })
}
