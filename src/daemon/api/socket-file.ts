import { chmodSync, lstatSync, unlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
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

/** Node makes a socket as the umask says; its folder is private from before. */
export function keepSocketPrivate(path: string): void {
  chmodSync(path, 0o600)
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
