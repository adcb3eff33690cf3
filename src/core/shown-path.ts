/** The folders from which paths are shown shorter; what is not known is left out. */
export interface PathBases {
  /** The session's own. */
  readonly folder?: string | null | undefined
  readonly home?: string | null | undefined
}

export interface ShownPath {
  readonly text: string
  /** The folder that `text` begins in; none where `text` says all. */
  readonly within: string | null
}

/** SPEC SH14. A path as people read it, and never one that could be taken for another. */
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
