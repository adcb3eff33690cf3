import { chmodSync, lstatSync, renameSync, rmSync, unlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { privateFolder } from '../../home/folders.ts'

/**
 * Makes room for a socket. One that a killed daemon left is removed, but only after nobody
 * answered there; anything that is no socket is left alone.
 */
export async function clearSocket(path: string): Promise<void> {
  privateFolder(dirname(path))
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return
  if (!found.isSocket())
    throw new Error(`${path}: expected a socket or nothing; remove what is there`)
  if (await answers(path)) throw new Error(`${path}: another daemon answers there; stop it first`)
  unlinkSync(path)
}

/** Where a socket is made: no longer than its name, since a path's length is limited. */
export function draftOf(path: string): string {
  const draft = join(dirname(path), `.${process.pid}`)
  rmSync(draft, { force: true })
  return draft
}

/**
 * Gives the socket its name; returns how to take it away, unless it is another's by then. Node
 * makes a socket as the umask says; its folder is private from before.
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

/** Any other error (a full backlog: EAGAIN) means that somebody is there. */
const GONE = new Set(['ECONNREFUSED', 'ENOENT'])
