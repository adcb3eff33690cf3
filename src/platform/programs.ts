import { accessSync, constants, lstatSync, realpathSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path'
import { whyChangeable } from './owners.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface SearchPath {
  /** Folders to search for programs, in the order of PATH. */
  readonly folders: readonly string[]
  readonly leftOut: readonly LeftOut[]
}

interface LeftOut {
  readonly folder: string
  readonly why: string
}

/** A shell's default without PATH. */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

/** No projects, even when the working folder is /usr; Homebrew's folder is a git repository. */
const SYSTEM_FOLDERS = [
  '/',
  '/usr/',
  '/usr/local/',
  '/opt/homebrew/',
  '/run/current-system/sw/',
].flatMap((folder) => [`${folder}bin`, `${folder}sbin`])

/**
 * SPEC PF1. The folders of PATH that no project and no other user controls. PATH often begins with
 * `node_modules/.bin` of an agent's project: what is there is the project's program.
 */
export function searchPath({ PATH }: Env = process.env, cwd = currentFolder()): SearchPath {
  const given = [...new Set((PATH ?? DEFAULT_PATH).split(delimiter))].filter((one) => one !== '')
  const judged = given.map((folder) => ({ folder, why: whyUntrusted(folder, cwd) }))
  return {
    folders: judged.filter(({ why }) => why === undefined).map(({ folder }) => folder),
    leftOut: judged.flatMap(({ folder, why }) => (why === undefined ? [] : { folder, why })),
  }
}

/** The same as a value for PATH. */
export function trustedPath(env: Env = process.env): string {
  return searchPath(env).folders.join(delimiter)
}

/** SPEC PF1. Where a program is, as an absolute path; undefined when it is in no trusted folder. */
export function findProgram(name: string, env: Env = process.env): string | undefined {
  const paths = searchPath(env).folders.map((folder) => join(folder, name))
  return paths.find((path) => isProgram(path) && whyChangeable(path) === undefined)
}

/** The same; a missing program gets a path that does not exist, so that its start fails. */
export function pathTo(name: string, env: Env = process.env): string {
  return findProgram(name, env) ?? join('/nonexistent', name)
}

function whyUntrusted(folder: string, cwd: string | undefined): string | undefined {
  if (!isAbsolute(folder)) return 'it is not an absolute path'
  const real = realOf(folder)
  if (real === undefined) return 'it does not exist'
  if (!SYSTEM_FOLDERS.includes(folder)) {
    const why = whyProject(folder, cwd) ?? whyProject(real, cwd && realOf(cwd))
    if (why !== undefined) return why
  }
  return whyChangeable(folder)
}

function whyProject(folder: string, cwd: string | undefined): string | undefined {
  if (folder.split(sep).includes('node_modules')) return 'it belongs to a project (node_modules)'
  const home = homeFolder()
  // If the working folder is the home or above it, everything would be inside.
  if (cwd !== undefined && !isWithin(home, cwd) && isWithin(folder, cwd))
    return 'it is within the current folder'
  for (let at = folder; ; at = dirname(at)) {
    // Some users have their whole home in git.
    const isTree = lstatSync(join(at, '.git'), { throwIfNoEntry: false }) !== undefined
    if (isTree && !isWithin(home, at)) return `it is within the git repository ${at}`
    if (at === dirname(at)) return undefined
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

/** Not `HOME`: a project's settings may set that for its agent. */
function homeFolder(): string {
  try {
    return realOf(userInfo().homedir) ?? userInfo().homedir
  } catch {
    return '/'
  }
}

function currentFolder(): string | undefined {
  try {
    return process.cwd()
  } catch {
    // The folder was removed.
    return undefined
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
