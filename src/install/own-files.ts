import { readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { agentOf } from '../agents/index.ts'
import type { OwnFiles } from '../agents/setup.ts'
import { type Folders, privateFolder } from '../home/folders.ts'
import { fileText } from '../home/plain-file.ts'
import { writePrivate } from '../home/private-file.ts'
import type { Note } from './note.ts'
import {
  hookOf,
  hookPath,
  renderSelf,
  type ScriptOptions,
  writeHook,
  writeTemplate,
} from './scripts.ts'

const packaged = fileURLToPath(new URL('../../', import.meta.url))

/** The path of the launcher within a copy, because a script of the copy looks beside itself. */
const SELF = 'scripts/vigil'

/** Writes all files of vigil's own that the noted homes refer to: hooks, other scripts, copies. */
export function writeOwn(folders: Folders, wanted: WantedFiles, options: ScriptOptions): void {
  for (const [agent, { scripts, copies }] of wanted) {
    const path = options.path ?? hookPath(hookOf(folders, agent))
    if (agentOf(agent)?.hook) writeHook(folders, agent, { ...options, path })
    for (const [name, values] of Object.entries(scripts))
      writeTemplate(folders, agent, name, { PATH: path, ...values })
    for (const [name, isWanted] of Object.entries(copies))
      if (isWanted) writeCopy(folders, name, options)
  }
}

/** Removes copies that no home refers to any more. */
export function removeUnwanted(folders: Folders, wanted: WantedFiles): void {
  for (const [, { copies }] of wanted)
    for (const [name, isWanted] of Object.entries(copies))
      if (!isWanted) rmSync(join(folders.data, name), { recursive: true, force: true })
}

type WantedFiles = readonly (readonly [agent: string, OwnFiles])[]

/** The files of each agent in the note. The files of an unknown agent are left alone. */
export function wantedBy(note: Note): WantedFiles {
  return Object.entries(note.agents).flatMap(([id, { homes }]) => {
    const setup = agentOf(id)?.setup
    return setup ? [[id, setup.ownFiles(Object.values(homes).map(({ memory }) => memory))]] : []
  })
}

/**
 * SPEC LP41. A copy of a folder of the package, because a package manager may move the package. The
 * copy contains a launcher with the folders of this vigil.
 */
function writeCopy(folders: Folders, name: string, options: ScriptOptions): void {
  const [template, folder] = [join(packaged, name), join(folders.data, name)]
  const wanted = new Map(filesIn(template).map((path) => [path, fileText(join(template, path))]))
  wanted.set(SELF, renderSelf(folders, options))
  privateFolder(folders.data)
  for (const [path, text] of wanted) {
    privateFolder(dirname(join(folder, path)))
    const mode = path.startsWith('scripts/') ? 0o700 : 0o600
    if (fileText(join(folder, path)) !== text || modeOf(join(folder, path)) !== mode)
      writePrivate(join(folder, path), text ?? '', mode)
  }
  for (const path of filesIn(folder)) if (!wanted.has(path)) rmSync(join(folder, path))
}

function filesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return entries.filter((path) => statSync(join(folder, path)).isFile()).toSorted()
  } catch {
    return []
  }
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}
