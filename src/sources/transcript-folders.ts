import { dirname, join } from 'node:path'
import {
  holdsSubagents,
  isTranscript,
  projectsFolder,
  sessionFolder,
} from '../agents/claude/files.ts'
import type { Complain } from './arrival.ts'
import { FolderSet } from './folder-set.ts'
import { FolderWatch } from './folder-watch.ts'
import { foldersNamed, isFolder, namesIn, newestLast, transcriptsIn } from './folders-on-disk.ts'

/**
 * SPEC LI1. A watch costs the system about a kilobyte, and a start some 0.1 ms; a machine of many
 * years has some hundred projects. The newest are watched; another is when a session is followed
 * there.
 */
const PROJECTS_MAX = 2_000
/** Folders of followed sessions; each has one to four. */
const SESSION_FOLDERS_MAX = 10_000
const SESSIONS_MAX = 5_000

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

  /** Nothing of this config folder is watched any more. */
  remove(config: string): void {
    const projects = projectsFolder(config)
    const place = this.#places.get(projects)
    if (!place) return
    place.root.close()
    this.#places.delete(projects)
    this.#projects.remove(projects)
    this.#sessions.remove(projects)
    for (const followed of this.#followed)
      if (followed.startsWith(`${projects}/`)) this.#followed.delete(followed)
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
    this.#watchProjectOf(folder)
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
    const tooMany = folders.length > projectsMax
    if (tooMany) this.#projects.overfull()
    const newest = tooMany ? newestLast(folders).slice(-projectsMax) : folders
    for (const folder of newest) this.#addProject(folder, listed)
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

  /** SPEC LI1. Of a session that is followed, also where it is not among the newest. */
  #watchProjectOf(sessionOrSubagent: string): void {
    const project = dirname(sessionOrSubagent)
    if (this.#projects.has(project)) this.#projects.touch(project)
    else if (this.#started) this.#projects.add(project)
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
