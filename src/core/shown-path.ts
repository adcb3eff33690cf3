/** The folders relative to which paths are shown; unknown ones are left out. */
export interface PathBases {
  /** The session's folder. */
  readonly folder?: string | null | undefined
  readonly home?: string | null | undefined
}

export interface ShownPath {
  readonly text: string
  /** The folder that `text` is relative to; null where `text` is complete. */
  readonly within: string | null
}

/** SPEC SH14. A path in the form people read, which cannot be mistaken for another path. */
export function shownPath(path: string, { folder, home }: PathBases): ShownPath {
  const inFolder = below(folder, path)
  if (inFolder !== null && folder && isPlain(folder) && !inFolder.startsWith('~'))
    return { text: inFolder, within: fromHome(folder, home) }
  return { text: fromHome(path, home), within: null }
}

function fromHome(path: string, home: PathBases['home']): string {
  const inHome = below(home, path)
  if (inHome !== null) return `~/${inHome}`
  return path === home && isPlain(path) ? '~' : path
}

function below(folder: string | null | undefined, path: string): string | null {
  if (!folder || !path.startsWith(`${folder}/`) || !isPlain(path)) return null
  return path.slice(folder.length + 1)
}

/** `..` leads elsewhere, an empty part or `.` only looks shorter, a blank could end the path. */
function isPlain(path: string): boolean {
  return /^(\/[^/]+)+$/.test(path) && !/\/\.\.?(\/|$)|\s/.test(path)
}
