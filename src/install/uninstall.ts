import { existsSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Folders, privateFolder } from '../home/folders.ts'
import { writePrivate } from '../home/private-file.ts'
import { backUp } from './backup.ts'
import { Changed, type Found, readSettings, replaceSettings } from './files.ts'
import { asRefused, type Outcome, TRIES_MAX } from './install.ts'
import { type Place, readNote, removeNote } from './note.ts'
import { type Own, ownOf, withoutVigil } from './own.ts'
import { forgetPlugin, removePlugin } from './plugin.ts'
import { removeHooks } from './scripts.ts'

export interface UninstallOptions {
  readonly folders: Folders
  /** Looked at besides those that install wrote to. */
  readonly configDirs: readonly string[]
  readonly dryRun?: boolean | undefined
  readonly now?: () => Date
}

interface Removal {
  readonly configDir: string
  readonly found: Found
  readonly place: Place | undefined
  readonly after: string | undefined
}

/** SPEC I7, I9. Takes vigil out of every folder install ever wrote to. */
export function uninstall(options: UninstallOptions): Outcome[] {
  const { folders, dryRun, now = () => new Date() } = options
  const note = readNote(folders)
  const own = ownOf(folders, note)
  const dirs = new Set([...Object.keys(note.places), ...options.configDirs])
  const removals = [...dirs].map((dir) => removalOf(dir, note.places[dir], own))
  if (dryRun) return removals.map((removal) => outcomeOf(removal))
  const outcomes = removals.map((removal) => carryOut(removal, own, folders, now))
  for (const dir of dirs) forgetPlugin(dir, folders)
  removePlugin(folders)
  leaveSilentHook(folders, own)
  removeNote(folders)
  return outcomes
}

function removalOf(configDir: string, place: Place | undefined, own: Own): Removal {
  const settings = join(configDir, 'settings.json')
  const found = readSettings(settings)
  return { configDir, found, place, after: withoutVigil(found.text, place, own, settings) }
}

function carryOut(removal: Removal, own: Own, folders: Folders, now: () => Date): Outcome {
  let planned = removal
  for (let tries = 1; ; tries++) {
    const { found, after, place, configDir } = planned
    const { text } = found
    if (text === after) {
      removeEmpty(place?.made ?? [])
      return outcomeOf(planned)
    }
    const backup = text === undefined ? undefined : backUp(folders, found.path, text, now())
    try {
      replaceSettings(found, after)
      removeEmpty(place?.made ?? [])
      return outcomeOf(planned, backup)
    } catch (error) {
      if (!(error instanceof Changed) || tries >= TRIES_MAX) throw asRefused(error)
      planned = removalOf(configDir, place, own)
    }
  }
}

/** Folders that install made, if nobody has put anything there since. */
function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders)
    try {
      rmdirSync(folder)
    } catch {
      return
    }
}

const SILENT =
  '#!/bin/sh\n# vigil was uninstalled; sessions from before may still call this.\nexit 0\n'

/**
 * SPEC I11. A client may keep the hooks it found at its start, and shows an error at every event
 * for a program that is gone.
 */
function leaveSilentHook(folders: Folders, own: Own): void {
  if (!existsSync(own.hook)) return
  removeHooks(folders)
  privateFolder(folders.data)
  privateFolder(folders.hooks)
  writePrivate(own.hook, SILENT, 0o700)
}

function outcomeOf({ configDir, found, after }: Removal, backup?: string): Outcome {
  const { path: settings, text: before } = found
  const changed = before !== after
  return { configDir, settings, before, after, changed, warnings: [], ...(backup && { backup }) }
}
