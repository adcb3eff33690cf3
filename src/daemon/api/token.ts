import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { privateFolder } from '../../home/folders.ts'
import { writePrivate } from '../../home/private-file.ts'

/** 256 bits: nobody guesses it, so nothing needs to slow down who tries. */
const TOKEN_BYTES = 32

/**
 * SPEC P2, CT7. Made with each start of the daemon, in place of whatever is there: one that was
 * copied once is worth nothing after the next start. The caller holds the daemon's lock.
 */
export function newToken(path: string): string {
  privateFolder(dirname(path))
  const token = randomBytes(TOKEN_BYTES).toString('hex')
  writePrivate(path, `${token}\n`)
  return token
}
