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

/** Where the launcher lies in a copy: a script of the copy looks beside itself. */
const SELF = 'scripts/vigil'

/** Everything of vigil's own that the noted homes name: hooks, other scripts, copies. */
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

/** Copies that no home names any more. */
export function removeUnwanted(folders: Folders, wanted: WantedFiles): void {
  for (const [, { copies }] of wanted)
    for (const [name, isWanted] of Object.entries(copies))
      if (!isWanted) rmSync(join(folders.data, name), { recursive: true, force: true })
}

type WantedFiles = readonly (readonly [agent: string, OwnFiles])[]

/** Of each agent in the note. One that this vigil does not know is left as it is. */
export function wantedBy(note: Note): WantedFiles {
  return Object.entries(note.agents).flatMap(([id, { homes }]) => {
    const setup = agentOf(id)?.setup
    return setup ? [[id, setup.ownFiles(Object.values(homes).map(({ memory }) => memory))]] : []
  })
}

/**
 * SPEC LP41. A folder of the package as settings name it: a copy, since a package manager may move
 * the package, with a vigil in it that has the folders of this one.
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
