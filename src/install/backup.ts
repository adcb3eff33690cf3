import { createHash } from 'node:crypto'
import { globSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Folders, privateFolder } from '../home/folders.ts'
import { writePrivate } from '../home/private-file.ts'

/** Enough to go back over a few installs without filling the disk. */
const BACKUPS_MAX = 10

/** Copies the text into vigil's own folder; the user's folder stays as it was. */
export function backUp(folders: Folders, settings: string, text: string, now: Date): string {
  const folder = join(folders.data, 'backups')
  privateFolder(folders.data)
  privateFolder(folder)
  const name = `${createHash('sha256').update(settings).digest('hex').slice(0, 8)}-`
  const time = now.toISOString().replaceAll(/[-:]/g, '').replace('.', '')
  const path = join(folder, `${name}${time}-${basename(settings)}`)
  writePrivate(path, text)
  const all = globSync(`${name}*`, { cwd: folder }).toSorted()
  for (const old of all.slice(0, -BACKUPS_MAX)) rmSync(join(folder, old), { force: true })
  return path
}
