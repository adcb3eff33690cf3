import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** For files vigil makes: they may hold what the user keeps secret. */
export const PRIVATE = 0o600

/** A file of vigil's own, at once or not at all. */
export function writePrivate(path: string, text: string, mode = PRIVATE): void {
  const draft = `${path}.${process.pid}`
  try {
    // Made anew: what stands there, a link perhaps, is nobody's whom it should reach.
    rmSync(draft, { force: true })
    writeFileSync(draft, text, { mode, flag: 'wx' })
    // The mode above is cut by the umask.
    chmodSync(draft, mode)
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}
