import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  writeSync,
} from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type Repository, treesFolderOf } from './repository.ts'

/** A part of the path is not a folder of the repository. */
class NotContained extends Error {
  override readonly name = 'NotContained'
}

/**
 * SPEC PF6. Makes a folder within a repository step by step: each part is a folder and no link, and
 * its real path equals its name. `root` is a real path.
 */
export function makeContained(root: string, path: string): void {
  let at = root
  for (const name of relative(root, path).split(sep)) {
    at = join(at, name)
    try {
      mkdirSync(at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    mustBeFolder(at)
  }
}

/** Throws for a link, for anything else that is not a folder, and for a folder elsewhere. */
function mustBeFolder(path: string): void {
  const stats = lstatSync(path)
  if (stats.isSymbolicLink())
    throw new NotContained(
      `${path} is a link, and vigil makes no worktree behind a link; remove the link and try again`,
    )
  if (!stats.isDirectory())
    throw new NotContained(`${path} is not a folder; move it away and try again`)
  const real = realpathSync(path)
  if (real !== path)
    throw new NotContained(`${path} is really ${real}; vigil makes no worktree there`)
}

/** Why a worktree is not one of the repository's own folders; undefined if it is. */
export function whyNotOwn(repository: Pick<Repository, 'main'>, path: string): string | undefined {
  try {
    for (const folder of [join(repository.main, '.vigil'), treesFolderOf(repository), path])
      mustBeFolder(folder)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Larger than any exclude file of git. */
const EXCLUDE_MAX_BYTES = 1_000_000

/**
 * SPEC PF7. Makes git ignore the worktrees without changing a file of the repository. Opens the
 * file without following a link, because the target of the link would be overwritten.
 */
export function exclude({ common }: Pick<Repository, 'common'>): void {
  makeContained(common, join(common, 'info'))
  const path = join(common, 'info', 'exclude')
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = openNoLink(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile() || stats.size > EXCLUDE_MAX_BYTES)
      throw new NotContained(`${path} is not a file; move it away and try again`)
    const text = readFileSync(file, 'utf8')
    if (/^\/?\.vigil\/?$/m.test(text)) return
    writeSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}/.vigil/\n`)
  } finally {
    closeSync(file)
  }
}

function openNoLink(path: string, flags: number): number {
  try {
    return openSync(path, flags, 0o644)
  } catch (error) {
    // ELOOP if the system does not follow a link; ENXIO for a pipe without a reader.
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ELOOP' || code === 'EMLINK')
      throw new NotContained(
        `${path} is a link, and vigil does not write through a link; remove the link`,
      )
    throw new NotContained(`${path}: cannot be written (${code}); move it away and try again`)
  }
}
