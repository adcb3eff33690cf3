import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { privateFolder } from '../../home/folders.ts'
import { writePrivate } from '../../home/private-file.ts'

/** 256 bits cannot be guessed, so no rate limit is needed. */
const TOKEN_BYTES = 32

/**
 * SPEC P2, CT7. Created at each start of the daemon, replacing any previous one: a copied token is
 * worthless after the next start. The caller holds the daemon's lock.
 */
export function newToken(path: string): string {
  privateFolder(dirname(path))
  const token = randomBytes(TOKEN_BYTES).toString('hex')
  writePrivate(path, `${token}\n`)
  return token
}
