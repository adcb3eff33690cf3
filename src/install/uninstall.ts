import { existsSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Folders, privateFolder } from '../home/folders.ts'
import { writePrivate } from '../home/private-file.ts'
import { backUp } from './backup.ts'
import { Changed, replaceSettings } from './files.ts'
import { asRefused, type Outcome, TRIES_MAX } from './install.ts'
import { homesIn, type Note, readNote, writeNote } from './note.ts'
import { foundIn, placeOf, type Target, textsOf, withoutVigil } from './plan.ts'
import { hookOf } from './scripts.ts'
import { cleanTraces } from './traces.ts'

export interface UninstallOptions {
  readonly folders: Folders
  /** Their homes are looked at besides those that install wrote to. */
  readonly targets: readonly Target[]
  readonly dryRun?: boolean | undefined
  readonly now?: () => Date
}

interface Removal {
  readonly target: Target
  readonly home: string
  readonly files: readonly (ReturnType<typeof foundIn>[number] & {
    readonly after: string | undefined
  })[]
}

/** SPEC I7, I9. Takes vigil out of every home of these agents that install ever wrote to. */
export function uninstall(options: UninstallOptions): Outcome[] {
  const { folders, targets, dryRun, now = () => new Date() } = options
  const note = readNote(folders)
  const removals = targets.flatMap((target) => {
    const homes = new Set([...Object.keys(homesIn(note, target.agent)), ...target.homes])
    return [...homes].map((home) => removalOf(target, home, folders, note))
  })
  if (dryRun)
    return removals.flatMap((removal) => removal.files.map((file) => outcomeOf(removal, file)))
  const outcomes = removals.flatMap((removal) => carryOut(removal, folders, note, now))
  const left = without(note, targets)
  for (const { target, home } of removals) cleanTraces(target, home, folders, left)
  for (const target of targets) removeOwn(folders, target)
  writeNote(folders, left)
  return outcomes
}

function without(note: Note, targets: readonly Target[]): Note {
  const gone = new Set(targets.map(({ agent }) => agent))
  const kept = Object.entries(note.agents).filter(([agent]) => !gone.has(agent))
  return { ...note, agents: Object.fromEntries(kept) }
}

function removalOf(target: Target, home: string, folders: Folders, note: Note): Removal {
  const { setup, agent } = target
  const found = foundIn(setup, home)
  const place = placeOf(target, home, folders, note)
  const after = withoutVigil(setup, textsOf(found), place, homesIn(note, agent)[home])
  return { target, home, files: found.map((one) => ({ ...one, after: after[one.file] })) }
}

function carryOut(removal: Removal, folders: Folders, note: Note, now: () => Date): Outcome[] {
  const { target, home } = removal
  const outcomes = removal.files.map((planned, at) => {
    let file: Removal['files'][number] = planned
    for (let tries = 1; ; tries++) {
      const { text, after, path } = file
      if (text === after) return outcomeOf(removal, file)
      const backup = text === undefined ? undefined : backUp(folders, path, text, now())
      try {
        replaceSettings(file, after)
        return outcomeOf(removal, file, backup)
      } catch (error) {
        if (!(error instanceof Changed) || tries >= TRIES_MAX) throw asRefused(error)
        file = removalOf(target, home, folders, note).files[at] ?? file
      }
    }
  })
  removeEmpty(homesIn(note, target.agent)[home]?.made ?? [])
  return outcomes
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

/** The agent's scripts and copies go, but for its hook. */
function removeOwn(folders: Folders, { agent, setup }: Target): void {
  const { scripts, copies } = setup.ownFiles([])
  for (const name of Object.keys(scripts)) rmSync(join(folders.hooks, name), { force: true })
  for (const name of Object.keys(copies))
    rmSync(join(folders.data, name), { recursive: true, force: true })
  leaveSilentHook(folders, hookOf(folders, agent))
}

const SILENT =
  '#!/bin/sh\n# vigil was uninstalled; sessions from before may still call this.\nexit 0\n'

/**
 * SPEC I11. A client may keep the hooks it found at its start, and shows an error at every event
 * for a program that is gone.
 */
function leaveSilentHook(folders: Folders, hook: string): void {
  if (!existsSync(hook)) return
  privateFolder(folders.data)
  privateFolder(folders.hooks)
  writePrivate(hook, SILENT, 0o700)
}

type File = Removal['files'][number]

function outcomeOf({ target, home }: Removal, file: File, backup?: string): Outcome {
  const { path, text: before, after } = file
  const changed = before !== after
  const { agent } = target
  return { agent, home, path, before, after, changed, warnings: [], ...(backup && { backup }) }
}
