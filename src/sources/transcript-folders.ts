import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  holdsSubagents,
  isTranscript,
  projectsFolder,
  sessionFolder,
} from '../agents/claude/files.ts'
import type { Complain } from './arrival.ts'
import { FolderSet } from './folder-set.ts'
import { FolderWatch } from './folder-watch.ts'

/** A watch costs the system about a kilobyte; a machine of many years has some hundred projects. */
const PROJECTS_MAX = 5_000
/** Folders of followed sessions; each has one to four. */
const SESSION_FOLDERS_MAX = 10_000
const SESSIONS_MAX = 5_000
/** So long, a folder's name was cut by the client and a hash was put behind it. */
const NAME_CUT_CHARS = 200

export interface TranscriptFoldersOptions {
  readonly complain: Complain
  /** A transcript grew; or it is there since a moment ago, when it `appeared`. */
  readonly onFile: (path: string, appeared: boolean) => void
  readonly projectsMax?: number | undefined
}

interface Place {
  readonly projects: string
  readonly root: FolderWatch
  /** What was there before us has been seen. */
  listed: boolean
}

/** Which folders are watched for transcripts: every project's, and those of followed sessions. */
export class TranscriptFolders {
  readonly #options: TranscriptFoldersOptions
  readonly #places = new Map<string, Place>()
  readonly #projects: FolderSet
  readonly #sessions: FolderSet
  /** Sessions' folders, whether they exist yet or not; the longest silent first. */
  readonly #followed = new Set<string>()
  #started = false

  constructor(options: TranscriptFoldersOptions) {
    const { complain, projectsMax = PROJECTS_MAX } = options
    this.#options = options
    this.#projects = new FolderSet({
      max: projectsMax,
      what: 'project folders are',
      onName: (folder, name, type) => this.#onProjectName(join(folder, name), type),
      complain,
    })
    this.#sessions = new FolderSet({
      max: SESSION_FOLDERS_MAX,
      what: 'folders of subagents are',
      onName: (folder, name, type) => this.#onSessionName(join(folder, name), type),
      complain,
    })
  }

  get watches(): number {
    return this.#projects.size + this.#sessions.size
  }

  add(config: string): void {
    const projects = projectsFolder(config)
    if (this.#places.has(projects)) return
    const root: FolderWatch = new FolderWatch(projects, {
      onName: (name, type) => this.#onRootName(join(projects, name), type),
      onList: () => this.#list(place),
      complain: this.#options.complain,
    })
    const place: Place = { projects, root, listed: false }
    this.#places.set(projects, place)
    if (this.#started) this.#begin(place)
  }

  start(): void {
    this.#started = true
    for (const place of this.#places.values()) this.#begin(place)
  }

  stop(): void {
    for (const { root } of this.#places.values()) root.close()
    this.#projects.close()
    this.#sessions.close()
  }

  ensure(): void {
    for (const { root } of this.#places.values()) root.ensure()
  }

  holds(path: string): boolean {
    const place = this.#placeOf(path)
    return place !== undefined && isTranscript(place.projects, path)
  }

  /** Also the transcripts of its subagents; all of them, if the session appeared under our eyes. */
  follow(path: string, appeared: boolean): void {
    const place = this.#placeOf(path)
    const folder = place && sessionFolder(place.projects, path)
    if (folder === undefined) return
    const known = this.#followed.delete(folder)
    this.#followed.add(folder)
    if (!known) this.#addSessionFolder(folder, appeared)
    const [silent] = this.#followed
    if (this.#followed.size > SESSIONS_MAX && silent !== undefined) this.#unfollow(silent)
  }

  /** By the session's id, or by its transcript. */
  unfollow(session: string): void {
    const place = this.#placeOf(session)
    const folder = place && sessionFolder(place.projects, session)
    for (const followed of this.#followed)
      if (followed === folder || followed.endsWith(`/${session}`)) this.#unfollow(followed)
  }

  /** The newest transcript in folders of that name, changed since then. */
  findFor(name: string, sinceMs: number): string | undefined {
    if (!/^[A-Za-z0-9-]+$/.test(name)) return undefined
    let newest: { path: string; mtimeMs: number } | undefined
    for (const { projects } of this.#places.values())
      for (const folder of foldersNamed(projects, name))
        for (const { path, mtimeMs } of transcriptsIn(folder))
          if (mtimeMs >= Math.max(sinceMs, newest?.mtimeMs ?? 0)) newest = { path, mtimeMs }
    return newest?.path
  }

  #begin(place: Place): void {
    place.root.ensure()
    // A folder that comes later holds nothing that was there before us.
    place.listed = true
  }

  #list({ projects, listed }: Place): void {
    const folders = namesIn(projects)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(projects, name))
    const { projectsMax = PROJECTS_MAX } = this.#options
    const inOrder = folders.length > projectsMax ? newestLast(folders) : folders
    for (const folder of inOrder) this.#addProject(folder, listed)
  }

  #onRootName(path: string, type: string): void {
    if (type !== 'rename') return
    if (isFolder(path)) this.#addProject(path, true)
    else this.#projects.remove(path)
  }

  #addProject(folder: string, appeared: boolean): void {
    if (!this.#projects.add(folder) || !appeared) return
    for (const { name } of namesIn(folder)) this.#onProjectName(join(folder, name), 'rename')
  }

  #onProjectName(path: string, type: string): void {
    if (path.endsWith('.jsonl')) this.#onTranscript(path, type)
    else if (type === 'rename' && this.#followed.has(path)) this.#onSessionName(path, type)
  }

  #onSessionName(path: string, type: string): void {
    if (path.endsWith('.jsonl')) this.#onTranscript(path, type)
    else if (type === 'rename' && isFolder(path)) this.#addSessionFolder(path, true)
    else if (type === 'rename') this.#sessions.remove(path)
  }

  #addSessionFolder(folder: string, appeared: boolean): void {
    const place = this.#placeOf(folder)
    if (!place || !holdsSubagents(place.projects, folder)) return
    if (!this.#sessions.add(folder)) return
    for (const entry of namesIn(folder)) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) this.#addSessionFolder(path, appeared)
      else if (appeared && path.endsWith('.jsonl')) this.#onTranscript(path, 'rename')
    }
  }

  #onTranscript(path: string, type: string): void {
    if (this.holds(path)) this.#options.onFile(path, type === 'rename')
  }

  #unfollow(folder: string): void {
    this.#followed.delete(folder)
    this.#sessions.remove(folder)
  }

  #placeOf(path: string): Place | undefined {
    for (const place of this.#places.values())
      if (path.startsWith(`${place.projects}/`) && !path.includes('/../')) return place
    return undefined
  }
}

function foldersNamed(projects: string, name: string): string[] {
  if (name.length < NAME_CUT_CHARS) return [join(projects, name)]
  const alike = namesIn(projects).filter((entry) => entry.name.startsWith(name))
  return alike.map((entry) => join(projects, entry.name))
}

function transcriptsIn(folder: string): { path: string; mtimeMs: number }[] {
  const names = namesIn(folder).filter(({ name }) => name.endsWith('.jsonl'))
  return names.map(({ name }) => {
    const path = join(folder, name)
    return { path, mtimeMs: mtimeOf(path) }
  })
}

/** The limit drops what was added first. */
function newestLast(folders: readonly string[]): readonly string[] {
  const ages = new Map(folders.map((folder) => [folder, mtimeOf(folder)]))
  return folders.toSorted((a, b) => (ages.get(a) ?? 0) - (ages.get(b) ?? 0))
}

function namesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function mtimeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
