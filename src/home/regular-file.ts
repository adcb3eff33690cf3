import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
} from 'node:fs'
import { lstat as lstatLater, open } from 'node:fs/promises'

export type OpenedFile =
  | { readonly is: 'absent' }
  /** A folder, link, pipe, socket or device; a replacement has another signature. */
  | { readonly is: 'odd'; readonly what: string; readonly signature: string }
  | { readonly is: 'unreadable'; readonly why: string }
  | { readonly is: 'open'; readonly fd: number; readonly stats: BigIntStats }

/**
 * SPEC BR6. Opens only a regular file of this user or of root. Checked before it is opened, because
 * opening some devices has effects; opened without following links and without waiting for a pipe's
 * other end; checked again, because it may have been replaced meanwhile.
 */
export function openRegular(path: string, { anyOwner = false } = {}): OpenedFile {
  const before = lstat(path)
  if (before === undefined) return { is: 'absent' }
  if (!before.isFile()) return odd(before)
  let fd: number
  try {
    fd = openSync(path, FLAGS)
  } catch (error) {
    const why = errorCode(error)
    return why === 'ENOENT' ? { is: 'absent' } : { is: 'unreadable', why }
  }
  const stats = fstatSync(fd, { bigint: true })
  const isOurs = isOwn(stats) || anyOwner
  if (stats.isFile() && isOurs) return { is: 'open', fd, stats }
  closeSync(fd)
  return stats.isFile() ? { is: 'unreadable', why: 'belongs to another user' } : odd(stats)
}

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

function isOwn({ uid }: BigIntStats): boolean {
  return uid === 0n || uid === OWN_UID
}

const OWN_UID = BigInt(process.getuid?.() ?? 0)

/**
 * SPEC BR7. The same for a file that must be inside a folder. The folder itself may be a link,
 * because users move it to another disk; no link below it may lead out of it.
 */
export function openWithin(folder: string, path: string): OpenedFile {
  const opened = openRegular(path)
  if (opened.is !== 'open' || liesWithin(folder, path, opened.stats)) return opened
  closeSync(opened.fd)
  return {
    is: 'unreadable',
    why: `expected a file in ${folder}, found a link that points elsewhere`,
  }
}

/**
 * Reads a whole file of a project: it may be behind a link and belong to a colleague. Throws its
 * fault.
 */
export function readRegular(path: string, maxBytes: number): Buffer {
  const opened = openRegular(realpathSync.native(path), { anyOwner: true })
  if (opened.is === 'absent') throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
  if (opened.is === 'odd') throw new Error(`expected a file, found ${opened.what}`)
  if (opened.is === 'unreadable') throw new Error(`cannot be read: ${opened.why}`)
  try {
    const { size } = opened.stats
    if (size > maxBytes) throw new Error(`larger than ${maxBytes / 1_000_000} MB`)
    const content = Buffer.allocUnsafe(Number(size))
    return content.subarray(0, readAt(opened.fd, content, 0))
  } finally {
    closeSync(opened.fd)
  }
}

/**
 * SPEC BR6. Reads a whole regular file of this user or of root, without blocking the event loop: a
 * hanging disk delays only the caller. Undefined for anything else, and for a longer file.
 */
export async function readRegularLater(
  path: string,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const before = await lstatLater(path)
  if (!before.isFile()) return undefined
  const file = await open(path, FLAGS)
  try {
    const stats = await file.stat({ bigint: true })
    if (!stats.isFile() || !isOwn(stats) || stats.size > maxBytes) return undefined
    const content = Buffer.alloc(Number(stats.size))
    const { bytesRead } = await file.read(content, 0, content.length, 0)
    return content.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
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

export function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException)?.code ?? String(error)
}

/** Checks where the opened file is, not where its path may lead by now. */
function liesWithin(folder: string, path: string, { dev, ino }: BigIntStats): boolean {
  try {
    const real = realpathSync.native(path)
    const found = lstatSync(real, { bigint: true })
    const isSame = found.dev === dev && found.ino === ino
    return isSame && real.startsWith(`${realpathSync.native(folder)}/`)
  } catch {
    return false
  }
}

function lstat(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    // A name too long, a parent that is no folder: there is nothing to read.
    return undefined
  }
}

function odd(stats: BigIntStats): OpenedFile {
  return { is: 'odd', what: kindOf(stats), signature: `${stats.ino}@${stats.ctimeNs}` }
}

function kindOf(stats: BigIntStats): string {
  if (stats.isDirectory()) return 'a folder'
  if (stats.isSymbolicLink()) return 'a link'
  if (stats.isFIFO()) return 'a pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}
