import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { EditRefused } from '../edit/refused.ts'
import { PRIVATE } from '../home/private-file.ts'

/** A settings file as it was read. */
export interface SettingsFile {
  /** The path that the user knows. */
  readonly path: string
  /** The file behind any links. */
  readonly target: string
  /** Undefined if there is no file. */
  readonly text: string | undefined
  readonly stats: Stats | undefined
}

/** Far larger than any settings file. */
const SETTINGS_MAX_BYTES = 16 * 1024 * 1024

export function readSettingsFile(path: string): SettingsFile {
  return explained(path, 'read', () => {
    const target = targetOf(path)
    const stats = statSync(target, { throwIfNoEntry: false })
    if (!stats) return { path, target, text: undefined, stats }
    if (!stats.isFile()) throw new EditRefused(`${path}: expected a file, found something else`)
    if (stats.size > SETTINGS_MAX_BYTES)
      throw new EditRefused(`${path}: ${stats.size} bytes; expected at most ${SETTINGS_MAX_BYTES}`)
    const bytes = readFileSync(target)
    const text = bytes.toString('utf8')
    if (!Buffer.from(text, 'utf8').equals(bytes))
      throw new EditRefused(`${path}: expected UTF-8, found other bytes; nothing was changed`)
    return { path, target, text, stats }
  })
}

/** The system's own limit; more links form a cycle. */
const LINKS_MAX = 40

/** SPEC I8. The target of the links, even if that file does not exist yet. */
function targetOf(path: string): string {
  let at = path
  for (let links = 0; links < LINKS_MAX; links++) {
    if (!lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return at
    at = resolve(realpathSync(dirname(at)), readlinkSync(at))
  }
  throw new EditRefused(`${path}: is a circular link`)
}

/** Another process changed the file between reading and writing. */
export class Changed extends Error {
  override readonly name = 'Changed'
}

/**
 * SPEC I8. Replaces the file in one step, so that no reader sees half of it; undefined removes the
 * file. Throws Changed if the file is not what was read any more.
 */
export function replaceSettings(found: SettingsFile, text: string | undefined): void {
  explained(found.path, 'written', () => {
    const { target, stats } = found
    const draft = join(dirname(target), `.${basename(target)}.vigil-${process.pid}`)
    try {
      if (text !== undefined) writeDraft(draft, text, stats)
      if (readSettingsFile(found.path).text !== found.text) throw new Changed(found.path)
      if (text === undefined) rmSync(target, { force: true })
      else renameSync(draft, target)
    } finally {
      rmSync(draft, { force: true })
    }
  })
}

function writeDraft(draft: string, text: string, stats: Stats | undefined): void {
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', PRIVATE)
  try {
    writeFileSync(file, text)
    // SPEC I28. Root may install for another user: a file that only root can read ends the client.
    // By the open file: that user could put a link in the place of its name.
    const { uid, gid } = stats ?? statSync(dirname(draft))
    if (process.getuid?.() === 0) fchownSync(file, uid, gid)
    if (stats) fchmodSync(file, stats.mode & 0o7777)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** SPEC I28. The other user who owns this folder, or the one in which it will be made. */
export function otherOwnerOf(folder: string): number | undefined {
  let at = folder
  while (!existsSync(at) && at !== dirname(at)) at = dirname(at)
  const { uid } = statSync(at)
  // Folders such as /tmp are root's, and for everybody.
  const isShared = at !== folder && uid === 0
  return isShared || uid === process.getuid?.() ? undefined : uid
}

/** Makes a folder and its parents, and returns those that were missing, the deepest first. */
export function makeFolders(path: string): string[] {
  const missing: string[] = []
  for (let at = path; !lstatSync(at, { throwIfNoEntry: false }); at = dirname(at)) missing.push(at)
  explained(path, 'made', () => mkdirSync(path, { recursive: true, mode: 0o700 }))
  return missing
}

function explained<T>(path: string, done: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!code) throw error
    throw new EditRefused(
      `${path}: cannot be ${done} (${code}); check its permissions and those of its folder`,
    )
  }
}
