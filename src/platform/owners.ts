import { lstatSync, readFileSync, readlinkSync, type Stats } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { HAS_PROC, IS_LINUX } from './system.ts'

/** More links in a row than this are a circle, for the system as well. */
const LINKS_MAX = 40

/**
 * SPEC PF2. Why another user could change what is at a path: each folder and each link on the way
 * to it must belong to root or to this user, and be writable by no other. Undefined if no other
 * user can.
 */
export function whyChangeable(path: string): string | undefined {
  const rest = path.split('/').filter((name) => name !== '')
  let at = '/'
  let links = 0
  let why = whyWritable(at, lstatSync(at), rest.length === 0)
  while (why === undefined) {
    const name = rest.shift()
    if (name === undefined) return undefined
    const next = name === '..' ? dirname(at) : join(at, name)
    const stats = lstatSync(next, { throwIfNoEntry: false })
    if (!stats) return `${next} does not exist`
    if (!stats.isSymbolicLink()) {
      at = next
      why = whyWritable(at, stats, rest.length === 0)
      continue
    }
    if (++links > LINKS_MAX) return `${path}: is a circular link`
    if (!isTrustedOwner(stats.uid)) return `${next} belongs to user ${stats.uid}`
    const target = readlinkSync(next)
    rest.unshift(...target.split('/').filter((part) => part !== ''))
    if (isAbsolute(target)) at = '/'
  }
  return why
}

const STICKY = 0o1000

function whyWritable(path: string, stats: Stats, isLast: boolean): string | undefined {
  const { uid, gid, mode } = stats
  if (!isTrustedOwner(uid)) return `${path} belongs to user ${uid}`
  // Also where it is sticky, as /tmp: any user may create again what is removed there.
  if ((mode & 0o002) !== 0) return `every user can write in ${path}`
  // The stores of Nix and Guix are sticky and writable only by the group of their builders.
  const isStore = !isLast && (mode & STICKY) !== 0
  if ((mode & 0o020) !== 0 && !isStore && !isTrustedGroup(gid))
    return `the group ${gid} can write in ${path}`
  return undefined
}

/** Whether files of this owner can be trusted: only this user and root. */
export function isTrustedOwner(uid: number): boolean {
  return isRoot(uid) || uid === process.getuid?.()
}

/** Whether a file's owner is root, as far as this process can see. */
export function isRoot(uid: number): boolean {
  return uid === 0 || (uid === UNMAPPED && !isRootMapped())
}

/** The kernel's number for an owner that is not mapped into this user namespace. */
const UNMAPPED = 65_534

/**
 * A systemd user unit that may not write to the system runs in a user namespace that maps only its
 * own user: root's files then show the same owner as those of any other user.
 */
function isRootMapped(): boolean {
  if (!HAS_PROC) return true
  try {
    return /^\s*0\s/m.test(readFileSync('/proc/self/uid_map', 'utf8'))
  } catch {
    return true
  }
}

/** Their members can become root anyway, or can write where all programs of the machine are. */
const ADMINISTRATORS = ['root', 'wheel', 'sudo', 'admin']

/** Groups of administrators, and the user's private group. */
function isTrustedGroup(gid: number): boolean {
  if (gid === 0) return true
  const [name] = groupOf(gid)
  if (name === undefined) return false
  if (ADMINISTRATORS.includes(name)) return true
  // On macOS every user is in a group of this name.
  if (name === 'staff' && IS_LINUX) return true
  return isOwnGroup(gid)
}

/**
 * Whether this user is a group's only member. The group of the process may have others: on some
 * systems all people share one. Where a directory service names the groups, a user's own has the
 * user's number.
 */
export function isOwnGroup(gid: number): boolean {
  if (gid !== process.getgid?.()) return false
  const [name, members] = groupOf(gid)
  if (name === undefined) return gid === process.getuid?.()
  const { username } = userInfo()
  return name === username && members.every((member) => member === username)
}

function groupOf(gid: number): readonly [string | undefined, readonly string[]] {
  try {
    const lines = readFileSync('/etc/group', 'utf8').split('\n')
    const fields = lines.map((line) => line.split(':')).find(([, , id]) => id === String(gid))
    return [fields?.[0], fields?.[3]?.split(',').filter((one) => one !== '') ?? []]
  } catch {
    return [undefined, []]
  }
}
