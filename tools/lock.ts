/** A package of `package-lock.json`, by its folder. */
export interface LockedPackage {
  readonly name?: string
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly license?: string
  /** A folder of this repository. */
  readonly link?: boolean
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export type Lock = Readonly<Record<string, LockedPackage>>

const FOLDER = 'node_modules/'

export function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf(FOLDER) + FOLDER.length)
}

/** Where Node finds an imported package: in the nearest folder that has it. */
export function folderOf(lock: Lock, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf(FOLDER) - 1, 0))) {
    const folder = `${at === '' ? '' : `${at}/`}${FOLDER}${name}`
    if (lock[folder]) return folder
    if (at === '') return undefined
  }
}

/**
 * The folders of a package's dependencies; optional ones that are not installed are in the lock,
 * too.
 */
export function neededBy(lock: Lock, folder: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = lock[folder] ?? {}
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  return names.flatMap((name) => folderOf(lock, folder, name) ?? [])
}

/** Those folders, and all their dependencies. */
export function closureOf(lock: Lock, folders: Iterable<string>): Set<string> {
  const found = new Set(folders)
  // A set also yields entries that are added during the iteration.
  for (const folder of found) for (const needed of neededBy(lock, folder)) found.add(needed)
  return found
}
