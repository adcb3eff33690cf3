/** The first release without the WAL-reset bug, which can damage a log that two programs open. */
const SOUND = [3, 51, 3] as const

/** What to say of the SQLite that this Node is linked with; nothing of a sound one. */
export function sqliteNotice(version = process.versions.sqlite ?? '0'): string | undefined {
  const parts = version.split('.').map(Number)
  const at = SOUND.findIndex((least, i) => (parts[i] ?? 0) !== least)
  if (at < 0 || (parts[at] ?? 0) > (SOUND[at] ?? 0)) return undefined
  return (
    `SQLite ${version} has a bug that can damage a log opened by two programs at once ` +
    `(expected ${SOUND.join('.')} or newer); use a newer Node, and open the log with nothing else`
  )
}
