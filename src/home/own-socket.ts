import { lstatSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { isOwnGroup, isTrustedOwner } from '../platform/owners.ts'

/** Another user could listen at the socket: nothing was sent; the message says what to do. */
class UnsafeSocket extends Error {
  override readonly name = 'UnsafeSocket'

  constructor(path: string, why: string) {
    super(`${path}: ${why}; nothing was sent. Remove it, or set VIGIL_HOME to a private folder`)
  }
}

/**
 * SPEC CT5. Checked before anything is sent to a socket, above all the token: only the own user may
 * have created it, and no other may be able to replace it. A missing socket is ENOENT.
 * `bin/answer.js` has the same checks.
 */
export function assertOwnSocket(socket: string): void {
  const found = lstatSync(socket)
  assertOwnFolder(dirname(socket))
  if (!found.isSocket()) throw new UnsafeSocket(socket, 'expected a socket')
  assertOwn(socket, found)
}

/** A folder that only the own user can enter, on a path that no other user can change. */
export function assertOwnFolder(folder: string): void {
  const found = lstatSync(folder)
  if (!found.isDirectory()) throw new UnsafeSocket(folder, 'is a link, expected a folder')
  assertOwn(folder, found)
  if ((found.mode & 0o077) !== 0)
    throw new UnsafeSocket(folder, `other users can enter it (mode ${octal(found)}, expected 700)`)
  for (const [path, one] of [...above(folder), ...parentsOf(folder)]) {
    if (!isTrustedOwner(one.uid)) throw foreign(path, one)
    if (!one.isSymbolicLink() && isShared(one))
      throw new UnsafeSocket(path, `other users can replace its files (mode ${octal(one)})`)
  }
}

function assertOwn(path: string, found: Stats): void {
  if (found.uid !== ownUid(found)) throw foreign(path, found)
}

function foreign(path: string, found: Stats): UnsafeSocket {
  return new UnsafeSocket(path, `belongs to user ${found.uid}, expected ${ownUid(found)}`)
}

/** By the names in its path: a link among them must not be another user's. */
function* above(folder: string): Generator<readonly [string, Stats]> {
  for (let at = dirname(folder); ; at = dirname(at)) {
    yield [at, lstatSync(at)]
    if (at === dirname(at)) return
  }
}

/** The folders it is really in, as the system resolves them; the topmost is its own parent. */
function* parentsOf(folder: string): Generator<readonly [string, Stats]> {
  let [at, below] = [folder, lstatSync(folder)]
  for (;;) {
    at = `${at}/..`
    const found = lstatSync(at)
    if (found.ino === below.ino && found.dev === below.dev) return
    yield [join(at), found]
    below = found
  }
}

/** With the sticky bit only the owner can move an entry. */
function isShared({ mode, gid }: Stats): boolean {
  const isWritable = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !isOwnGroup(gid))
  return isWritable && (mode & 0o1000) === 0
}

function ownUid({ uid }: Stats): number {
  return process.getuid?.() ?? uid
}

function octal({ mode }: Stats): string {
  return (mode & 0o7777).toString(8)
}
