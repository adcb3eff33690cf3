import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The agent cut a name of this length and appended a hash. */
export function foldersNamed(root: string, name: string, maxChars: number): string[] {
  if (name.length < maxChars) return [join(root, name)]
  const alike = namesIn(root).filter((entry) => entry.name.startsWith(name))
  return alike.map((entry) => join(root, entry.name))
}

/** All folders of this many levels. */
export function foldersBelow(root: string, levels: number): string[] {
  if (levels === 0) return []
  const folders = namesIn(root).filter((entry) => entry.isDirectory())
  return folders.flatMap(({ name }) => {
    const folder = join(root, name)
    return [folder, ...foldersBelow(folder, levels - 1)]
  })
}

export function logsIn(folder: string, suffix: string): { path: string; mtimeMs: number }[] {
  const names = namesIn(folder).filter(({ name }) => name.endsWith(suffix))
  return names.map(({ name }) => {
    const path = join(folder, name)
    return { path, mtimeMs: mtimeOf(path) }
  })
}

/** The limit drops those added first. */
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
