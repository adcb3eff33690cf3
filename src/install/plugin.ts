import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PLUGIN } from '../agents/claude/entries.ts'
import { removeChild } from '../edit/children.ts'
import { dataOf, indexOfKey, memberOf, parseSettings } from '../edit/document.ts'
import { type Folders, privateFolder } from '../home/folders.ts'
import { writePrivate } from '../home/private-file.ts'
import { readSettings, replaceSettings } from './files.ts'
import { renderSelf, type ScriptOptions } from './scripts.ts'

const template = fileURLToPath(new URL('../../plugin/', import.meta.url))

/** Where the launcher lies in the copy: the plugin's script looks beside itself. */
const SELF = 'scripts/vigil'

/**
 * SPEC LP41. The plugin as settings name it: a copy of vigil's own, since a package manager may
 * move that, with a vigil in it that has the folders of this one.
 */
export function writePlugin(folders: Folders, options: ScriptOptions): void {
  const folder = pluginFolder(folders)
  const wanted = new Map(filesIn(template).map((path) => [path, readIn(template, path)]))
  wanted.set(SELF, renderSelf(folders, options))
  privateFolder(folders.data)
  for (const [path, text] of wanted) {
    privateFolder(dirname(join(folder, path)))
    const mode = path.startsWith('scripts/') ? 0o700 : 0o600
    if (readIn(folder, path) !== text || modeOf(join(folder, path)) !== mode)
      writePrivate(join(folder, path), text ?? '', mode)
  }
  for (const path of filesIn(folder)) if (!wanted.has(path)) rmSync(join(folder, path))
}

export function removePlugin(folders: Folders): void {
  rmSync(pluginFolder(folders), { recursive: true, force: true })
}

function pluginFolder({ data }: Folders): string {
  return join(data, 'plugin')
}

function filesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return entries.filter((path) => statSync(join(folder, path)).isFile()).toSorted()
  } catch {
    return []
  }
}

function readIn(folder: string, path: string): string | undefined {
  try {
    return readFileSync(join(folder, path), 'utf8')
  } catch {
    return undefined
  }
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}

/**
 * The client keeps lists of its own: of marketplaces it has seen, and copies of their plugins. What
 * it has of vigil's in there goes, and nothing else; a list that cannot be read is left alone.
 */
export function forgetPlugin(configDir: string, folders: Folders): void {
  const plugins = join(configDir, 'plugins')
  const isOurs = (value: unknown) => JSON.stringify(value).includes(pluginFolder(folders))
  if (!forget(join(plugins, 'known_marketplaces.json'), [], PLUGIN, isOurs)) return
  forget(join(plugins, 'installed_plugins.json'), ['plugins'], `${PLUGIN}@${PLUGIN}`, () => true)
  rmSync(join(plugins, 'cache', PLUGIN), { recursive: true, force: true })
}

type IsOurs = (value: unknown) => boolean

function forget(path: string, within: readonly string[], key: string, isOurs: IsOurs): boolean {
  try {
    const found = readSettings(path)
    if (found.text === undefined) return false
    let container = parseSettings(found.text, path)
    for (const name of within) container = memberOf(container, name) ?? container
    const entry = memberOf(container, key)
    if (!entry || !isOurs(dataOf(entry))) return false
    replaceSettings(found, removeChild(found.text, container, indexOfKey(container, key)))
    return true
  } catch {
    return false
  }
}
