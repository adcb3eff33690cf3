import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** So long, a folder's name was cut by the client and a hash was put behind it. */
const NAME_CUT_CHARS = 200

export function foldersNamed(projects: string, name: string): string[] {
  if (name.length < NAME_CUT_CHARS) return [join(projects, name)]
  const alike = namesIn(projects).filter((entry) => entry.name.startsWith(name))
  return alike.map((entry) => join(projects, entry.name))
}

export function transcriptsIn(folder: string): { path: string; mtimeMs: number }[] {
  const names = namesIn(folder).filter(({ name }) => name.endsWith('.jsonl'))
  return names.map(({ name }) => {
    const path = join(folder, name)
    return { path, mtimeMs: mtimeOf(path) }
  })
}

/** The limit drops what was added first. */
export function newestLast(folders: readonly string[]): readonly string[] {
  const ages = new Map(folders.map((folder) => [folder, mtimeOf(folder)]))
  return folders.toSorted((a, b) => (ages.get(a) ?? 0) - (ages.get(b) ?? 0))
}

export function namesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function mtimeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
