import { mkdirSync, mkdtempSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'

/**
 * A folder that vigil takes programs from: below the user's home, because any user can write to
 * /tmp.
 */
export function programFolder(): string {
  const caches = join(userInfo().homedir, '.cache')
  mkdirSync(caches, { recursive: true, mode: 0o700 })
  return mkdtempSync(join(caches, 'vigil-test-'))
}
