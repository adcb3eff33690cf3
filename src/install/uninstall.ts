import { existsSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Folders, privateFolder } from '../home/folders.ts'
import { writePrivate } from '../home/private-file.ts'
import type { InstallOptions } from './install.ts'
import { homesIn, type Note, readNote, writeNote } from './note.ts'
import { removalFor, type Target } from './plan.ts'
import { hookOf } from './scripts.ts'
import { cleanTraces } from './traces.ts'
import { type Outcome, outcomesOf, writeHome } from './write.ts'

/** Uninstall looks at the homes of its targets and at those that install wrote to. */
export type UninstallOptions = Pick<InstallOptions, 'folders' | 'targets' | 'dryRun' | 'now'>

/** SPEC I7, I9. Removes vigil from every home of these agents that install ever wrote to. */
export function uninstall(options: UninstallOptions): Outcome[] {
  const { folders, targets, dryRun, now = () => new Date() } = options
  const note = readNote(folders)
  const removals = targets.flatMap((target) => {
    const homes = new Set([...Object.keys(homesIn(note, target.agent)), ...target.homes])
    return [...homes].map((home) => removalFor(target, home, folders, note))
  })
  if (dryRun) return removals.flatMap(outcomesOf)
  const outcomes = removals.flatMap((removal) => {
    const { target, home } = removal
    const again = () => removalFor(target, home, folders, note)
    const done = writeHome(removal, folders, now, again)
    removeEmpty(homesIn(note, target.agent)[home]?.made ?? [])
    return done
  })
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

/** Removes folders that install made, if they are empty. */
function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders)
    try {
      rmdirSync(folder)
    } catch {
      return
    }
}

/** Removes the agent's scripts and copies, except its hook. */
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
 * SPEC I11. A client may keep the hooks that it read at its start, and shows an error at every
 * event if the program is gone.
 */
function leaveSilentHook(folders: Folders, hook: string): void {
  if (!existsSync(hook)) return
  privateFolder(folders.data)
  privateFolder(folders.hooks)
  writePrivate(hook, SILENT, 0o700)
}
