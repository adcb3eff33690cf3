import { chmodSync, lstatSync, renameSync, rmSync, unlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { privateFolder } from '../../home/folders.ts'

/**
 * Makes room for a socket. Removes a socket left by a killed daemon, but only after no process
 * answered there; leaves anything that is no socket alone.
 */
export async function clearSocket(path: string): Promise<void> {
  privateFolder(dirname(path))
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return
  if (!found.isSocket()) throw new Error(`${path}: expected a socket or no file; remove it`)
  if (await answers(path))
    throw new Error(`${path}: another daemon uses this socket; stop it first`)
  unlinkSync(path)
}

/** Where a socket is created: no longer than its name, because a path's length is limited. */
export function draftOf(path: string): string {
  const draft = join(dirname(path), `.${process.pid}`)
  rmSync(draft, { force: true })
  return draft
}

/**
 * Gives the socket its name; returns how to remove it, unless another owns it by then. Node creates
 * a socket with the umask; its folder is already private.
 */
export function placeSocket(draft: string, path: string): () => void {
  chmodSync(draft, 0o600)
  const { ino } = lstatSync(draft)
  renameSync(draft, path)
  return () => {
    if (lstatSync(path, { throwIfNoEntry: false })?.ino === ino) unlinkSync(path)
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('error', (error: NodeJS.ErrnoException) => end(!GONE.has(error.code ?? '')))
  })
}

/** Any other error (a full backlog: EAGAIN) means that a process is listening. */
const GONE = new Set(['ECONNREFUSED', 'ENOENT'])
