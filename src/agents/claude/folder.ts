/** How Claude Code names a working folder: the name of the folder that holds its transcripts. */

/** The client cuts longer names and adds a hash; names are compared up to this length. */
export const NAME_MAX_CHARS = 200

export function folderName(cwd: string | undefined): string | undefined {
  return cwd?.replace(/[^A-Za-z0-9]/g, '-').slice(0, NAME_MAX_CHARS)
}

/** `…/projects/<name>/<session>.jsonl`, also for a subagent's file, which lies deeper. */
export function projectOf(transcript: string | undefined): string | undefined {
  const at = transcript?.lastIndexOf(PROJECTS) ?? -1
  if (!transcript || at < 0) return undefined
  const from = at + PROJECTS.length
  const to = transcript.indexOf('/', from)
  return to > from ? transcript.slice(from, Math.min(to, from + NAME_MAX_CHARS)) : undefined
}

/** The client's own folder, from the path of a transcript in it. */
export function configFolderIn(transcript: string): string | undefined {
  const at = transcript.lastIndexOf(PROJECTS)
  return at > 0 ? transcript.slice(0, at) : undefined
}

const PROJECTS = '/projects/'
