/** A package as `package-lock.json` has it, by the folder it is put into. */
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

/** Where Node finds a package that is imported from another: the nearest folder that has it. */
export function folderOf(lock: Lock, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf(FOLDER) - 1, 0))) {
    const folder = `${at === '' ? '' : `${at}/`}${FOLDER}${name}`
    if (lock[folder]) return folder
    if (at === '') return undefined
  }
}

/** The folders of what a package needs; what this platform or choice leaves out is in the lock. */
export function neededBy(lock: Lock, folder: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = lock[folder] ?? {}
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  return names.flatMap((name) => folderOf(lock, folder, name) ?? [])
}

/** Those folders, and all that they need in turn. */
export function closureOf(lock: Lock, folders: Iterable<string>): Set<string> {
  const found = new Set(folders)
  // A set hands out what is added while it is walked.
  for (const folder of found) for (const needed of neededBy(lock, folder)) found.add(needed)
  return found
}
