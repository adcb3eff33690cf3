import { lstatSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'

/** `path`: without links. Neither is given where there is none. */
interface OwnSocket {
  readonly path?: string
  readonly why?: string
}

/**
 * SPEC S31. A socket that may be used, or why not. It may lie in a folder that all users share:
 * only one of this user, in a folder that no other user can write to, is trusted. The connection
 * goes to the file that was checked: a link on the way to it may be another by then.
 */
export function ownSocket(given: string): OwnSocket {
  try {
    const path = realpathSync(given)
    const [socket, folder] = [lstatSync(path), lstatSync(dirname(path))]
    const uid = process.getuid?.()
    if (!socket.isSocket()) return { why: 'it is no socket' }
    if (socket.uid !== uid || folder.uid !== uid) return { why: 'another user owns it' }
    return folder.mode & 0o022 ? { why: 'other users can write to its folder' } : { path }
  } catch {
    return {}
  }
}
