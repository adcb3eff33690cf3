import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  linkSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { privateFolder } from '../../home/folders.ts'

/** 256 bits: nobody guesses it, so nothing needs to slow down who tries. */
const TOKEN_BYTES = 32

/** The user's token, made when there is none. */
export function tokenAt(path: string): string {
  privateFolder(dirname(path))
  return read(path) ?? make(path)
}

function read(path: string): string | undefined {
  const file = open(path)
  if (file === undefined) return undefined
  try {
    refuseForeign(path, file)
    const buffer = Buffer.alloc(TOKEN_BYTES * 2 + 2)
    const token = buffer.toString('latin1', 0, readSync(file, buffer)).trimEnd()
    if (/^[0-9a-f]{64}$/.test(token)) return token
    throw new Error(`${path}: expected 64 hex digits, found something else; remove the file`)
  } finally {
    closeSync(file)
  }
}

function open(path: string): number | undefined {
  try {
    // A pipe in its place would hold the daemon for ever.
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'ELOOP') throw new Error(`${path}: is a link, expected a file; remove it`)
    throw error
  }
}

function refuseForeign(path: string, file: number): void {
  const { uid, mode } = fstatSync(file)
  const own = process.getuid?.() ?? uid
  if ((mode & constants.S_IFMT) !== constants.S_IFREG)
    throw new Error(`${path}: expected a file; remove what is there`)
  if (uid !== own) throw new Error(`${path}: belongs to user ${uid}, expected ${own}; remove it`)
  if ((mode & 0o177) !== 0) fchmodSync(file, 0o600)
}

/**
 * Written under another name and linked into place: whoever else reads or makes it at the same
 * moment finds all of it or nothing, and the first to link wins.
 */
function make(path: string): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, `${randomBytes(TOKEN_BYTES).toString('hex')}\n`)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  const token = read(path)
  if (token === undefined) throw new Error(`${path}: was removed while it was made; try again`)
  return token
}
