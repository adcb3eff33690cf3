import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { CODEX, cachedClient } from '../../clients.ts'
import type { Place } from '../../drive/place.ts'
import { codexHome } from './hooks.ts'

/**
 * At its first start in a home the client copies itself (400 MB) for its daemon, which takes ten
 * seconds. The lab keeps that copy beside the client, and gives it to each home by hard links.
 */
const KEPT = 'daemon-package'
const INSIDE = 'packages/app-server-daemon'

export function givePackage(place: Place, version: string): void {
  const kept = join(cachedClient(version, CODEX), KEPT)
  if (!existsSync(kept)) return
  const own = join(codexHome(place), INSIDE)
  mkdirSync(own, { recursive: true })
  // The client writes into the small files; the release is only read.
  for (const name of readdirSync(kept))
    if (name !== 'releases') cpSync(join(kept, name), join(own, name))
  if (!linked(join(kept, 'releases'), own)) {
    rmSync(own, { recursive: true })
    return
  }
  const [release = ''] = readdirSync(join(own, 'releases'))
  symlinkSync(join(own, 'releases', release), join(own, 'current'))
}

export function keepPackage(place: Place, version: string): void {
  const kept = join(cachedClient(version, CODEX), KEPT)
  const own = join(codexHome(place), INSIDE)
  if (existsSync(kept) || !existsSync(join(own, 'current'))) return
  const aside = `${kept}.${process.pid}`
  mkdirSync(aside)
  for (const name of readdirSync(own))
    if (name !== 'releases' && name !== 'current') cpSync(join(own, name), join(aside, name))
  // Another run may have been faster.
  if (!linked(join(own, 'releases'), aside) || existsSync(kept)) rmSync(aside, { recursive: true })
  else renameSync(aside, kept)
}

/** False where the two folders are on different disks: the client then makes its own copy. */
function linked(from: string, into: string): boolean {
  try {
    execFileSync('cp', ['-al', from, into], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
