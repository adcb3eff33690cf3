import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Logs } from '../agents/agent.ts'
import type { Complain } from './arrival.ts'
import { FolderSet } from './folder-set.ts'
import { FolderWatch } from './folder-watch.ts'
import {
  foldersBelow,
  foldersNamed,
  isFolder,
  logsIn,
  namesIn,
  newestLast,
} from './folders-on-disk.ts'

/**
 * SPEC LI1. A watch costs the system about a kilobyte, and about 0.1 ms at the start; a machine of
 * many years has a few hundred projects. The newest are watched; others once a session is followed
 * there.
 */
const PROJECTS_MAX = 2_000
/** Folders of followed sessions; each has one to four. */
const SESSION_FOLDERS_MAX = 10_000
const SESSIONS_MAX = 5_000

export interface TranscriptFoldersOptions {
  readonly logs: Logs
  readonly complain: Complain
  /** A transcript grew; or it has just been created, when it `appeared`. */
  readonly onFile: (path: string, appeared: boolean) => void
  readonly projectsMax?: number | undefined
}

interface Place {
  readonly root: string
  readonly watch: FolderWatch
  /** The existing files have been listed. */
  listed: boolean
}

/** The folders watched for logs: those of all sessions, and the followed sessions' own. */
export class TranscriptFolders {
  readonly #options: TranscriptFoldersOptions
  readonly #places = new Map<string, Place>()
  readonly #projects: FolderSet
  readonly #sessions: FolderSet
  /** Sessions' folders, existing or not; the one silent for longest first. */
  readonly #followed = new Set<string>()
  #started = false

  constructor(options: TranscriptFoldersOptions) {
    const { complain, projectsMax = PROJECTS_MAX } = options
    this.#options = options
    this.#projects = new FolderSet({
      max: projectsMax,
      what: 'project folders are',
      onName: (folder, name, type) => this.#onName(folder, name, type),
      complain,
    })
    this.#sessions = new FolderSet({
      max: SESSION_FOLDERS_MAX,
      what: 'folders of subagents are',
      onName: (folder, name, type) => this.#onSessionName(join(folder, name), type),
      complain,
    })
  }

  get #logs(): Logs {
    return this.#options.logs
  }

  get watches(): number {
    return this.#projects.size + this.#sessions.size
  }

  add(home: string): void {
    const root = this.#logs.rootOf(home)
    if (this.#places.has(root)) return
    const watch: FolderWatch = new FolderWatch(root, {
      onName: (name, type) => this.#onName(root, name, type),
      onList: () => this.#list(place),
      complain: this.#options.complain,
    })
    const place: Place = { root, watch, listed: false }
    this.#places.set(root, place)
    if (this.#started) this.#begin(place)
  }

  /** Stops watching this home. */
  remove(home: string): void {
    const root = this.#logs.rootOf(home)
    const place = this.#places.get(root)
    if (!place) return
    place.watch.close()
    this.#places.delete(root)
    this.#projects.remove(root)
    this.#sessions.remove(root)
    for (const followed of this.#followed)
      if (followed.startsWith(`${root}/`)) this.#followed.delete(followed)
  }

  start(): void {
    this.#started = true
    for (const place of this.#places.values()) this.#begin(place)
  }

  stop(): void {
    for (const { watch } of this.#places.values()) watch.close()
    this.#projects.close()
    this.#sessions.close()
  }

  ensure(): void {
    for (const { watch } of this.#places.values()) watch.ensure()
  }

  holds(path: string): boolean {
    const place = this.#placeOf(path)
    return place !== undefined && this.#logs.isLog(place.root, path)
  }

  /**
   * Also the transcripts of its subagents; in full, if the session appeared while vigil watched.
   */
  follow(path: string, appeared: boolean): void {
    const place = this.#placeOf(path)
    const folder = place && this.#logs.sessionFolder?.(place.root, path)
    this.#watchFolderOf(folder ?? path)
    for (const set of [this.#projects, this.#sessions]) set.follow(dirname(path), basename(path))
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
    const folder = place && this.#logs.sessionFolder?.(place.root, session)
    for (const followed of this.#followed)
      if (followed === folder || followed.endsWith(`/${session}`)) this.#unfollow(followed)
  }

  /** The newest transcript in folders of that name, changed since then. */
  findFor(name: string, sinceMs: number): string | undefined {
    const { folderNameMax, suffix } = this.#logs
    if (folderNameMax === undefined || !/^[\w-]+$/.test(name)) return undefined
    let newest: { path: string; mtimeMs: number } | undefined
    for (const { root } of this.#places.values())
      for (const folder of foldersNamed(root, name, folderNameMax))
        for (const { path, mtimeMs } of logsIn(folder, suffix))
          if (mtimeMs >= Math.max(sinceMs, newest?.mtimeMs ?? 0)) newest = { path, mtimeMs }
    return newest?.path
  }

  /** A session's own log, if it is there. */
  logOf(folderName: string, session: string): string | undefined {
    const { folderNameMax, nameOf } = this.#logs
    if (folderNameMax === undefined || !nameOf) return undefined
    if (!/^[\w-]+$/.test(folderName) || !/^[\w-]+$/.test(session)) return undefined
    const roots = [...this.#places.values()].map(({ root }) => root)
    const folders = roots.flatMap((root) => foldersNamed(root, folderName, folderNameMax))
    return folders.map((folder) => join(folder, nameOf(session))).find((path) => existsSync(path))
  }

  #begin(place: Place): void {
    place.watch.ensure()
    // A folder created later holds nothing older than the daemon.
    place.listed = true
  }

  #list({ root, listed }: Place): void {
    const folders = foldersBelow(root, this.#logs.depth)
    const { projectsMax = PROJECTS_MAX } = this.#options
    const tooMany = folders.length > projectsMax
    if (tooMany) this.#projects.overfull()
    const newest = tooMany ? newestLast(folders).slice(-projectsMax) : folders
    for (const folder of newest) this.#addFolder(folder, listed)
    if (listed && this.#logs.depth === 0) this.#listNames(root)
  }

  /** Above the logs a name is a folder; among the logs a log, or a session's folder. */
  #onName(folder: string, name: string, type: string): void {
    const path = join(folder, name)
    if (this.#levelOf(folder) < this.#logs.depth) {
      if (type !== 'rename') return
      if (isFolder(path)) this.#addFolder(path, true)
      else this.#projects.remove(path)
    } else if (path.endsWith(this.#logs.suffix)) this.#onTranscript(path, type)
    else if (type === 'rename' && this.#followed.has(path)) this.#onSessionName(path, type)
  }

  #addFolder(folder: string, appeared: boolean): void {
    if (this.#projects.add(folder) && appeared) this.#listNames(folder)
  }

  #listNames(folder: string): void {
    for (const { name } of namesIn(folder)) this.#onName(folder, name, 'rename')
  }

  /** SPEC LI1. For a followed session, also where its folder is not among the newest. */
  #watchFolderOf(log: string): void {
    const folder = dirname(log)
    if (this.#places.has(folder)) return
    if (this.#projects.has(folder)) this.#projects.touch(folder)
    else if (this.#started) this.#projects.add(folder)
  }

  #onSessionName(path: string, type: string): void {
    if (path.endsWith(this.#logs.suffix)) this.#onTranscript(path, type)
    else if (type === 'rename' && isFolder(path)) this.#addSessionFolder(path, true)
    else if (type === 'rename') this.#sessions.remove(path)
  }

  #addSessionFolder(folder: string, appeared: boolean): void {
    const place = this.#placeOf(folder)
    if (!place || !this.#logs.holdsLogs?.(place.root, folder)) return
    if (!this.#sessions.add(folder)) return
    for (const entry of namesIn(folder)) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) this.#addSessionFolder(path, appeared)
      else if (appeared && path.endsWith(this.#logs.suffix)) this.#onTranscript(path, 'rename')
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
      if (path.startsWith(`${place.root}/`) && !path.includes('/../')) return place
    return undefined
  }

  /** How many levels below the root of the logs. */
  #levelOf(folder: string): number {
    const root = this.#placeOf(folder)?.root
    return root === undefined ? 0 : folder.slice(root.length).split('/').length - 1
  }
}
