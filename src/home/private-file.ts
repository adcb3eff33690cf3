import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** For vigil's own files: they may hold the user's secrets. */
export const PRIVATE = 0o600

/** Writes a file of vigil's own, atomically. */
export function writePrivate(path: string, text: string, mode = PRIVATE): void {
  const draft = `${path}.${process.pid}`
  try {
    // Created again: a leftover, perhaps a link, may be another user's.
    rmSync(draft, { force: true })
    writeFileSync(draft, text, { mode, flag: 'wx' })
    // The umask limits the mode above.
    chmodSync(draft, mode)
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}
