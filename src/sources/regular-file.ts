import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
} from 'node:fs'

export type Opened =
  | { readonly is: 'absent' }
  /** A folder, link, pipe, socket or device; another in its place has another signature. */
  | { readonly is: 'odd'; readonly what: string; readonly signature: string }
  | { readonly is: 'unreadable'; readonly why: string }
  | { readonly is: 'open'; readonly fd: number; readonly stats: BigIntStats }

/**
 * Opens a regular file and nothing else. Looked at before it is opened, since opening some devices
 * does something; opened without following links and without waiting for a pipe's other end.
 */
export function openRegular(path: string): Opened {
  const before = lstat(path)
  if (before === undefined) return { is: 'absent' }
  if (!before.isFile()) return odd(before)
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const why = codeOf(error)
    return why === 'ENOENT' ? { is: 'absent' } : { is: 'unreadable', why }
  }
  const stats = fstatSync(fd, { bigint: true })
  if (stats.isFile()) return { is: 'open', fd, stats }
  closeSync(fd)
  return odd(stats)
}

/** Fills the buffer as far as the file goes. */
export function readAt(fd: number, buffer: Buffer, position: number): number {
  let have = 0
  while (have < buffer.length) {
    const got = readSync(fd, buffer, have, buffer.length - have, position + have)
    if (got === 0) break
    have += got
  }
  return have
}

export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException)?.code ?? String(error)
}

function lstat(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    // A name too long, a parent that is no folder: there is nothing to read.
    return undefined
  }
}

function odd(stats: BigIntStats): Opened {
  return { is: 'odd', what: kindOf(stats), signature: `${stats.ino}@${stats.ctimeNs}` }
}

function kindOf(stats: BigIntStats): string {
  if (stats.isDirectory()) return 'a folder'
  if (stats.isSymbolicLink()) return 'a link'
  if (stats.isFIFO()) return 'a pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}
