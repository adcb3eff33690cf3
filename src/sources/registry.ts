import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { StatusFiles } from '../agents/agent.ts'
import { errorCode } from '../home/regular-file.ts'
import type { Complain, Sink, Watcher } from './arrival.ts'
import { FolderWatch } from './folder-watch.ts'
import { readRegistryFile } from './registry-file.ts'

/** A client writes its file in place, at once, in well under a millisecond. */
const AGAIN_MS = 50
/** A file half-written for this long stays so: the next write brings an event. */
const TORN_LOOKS_MAX = 4
/** A replaced file is missing for a moment; closing its session then would be wrong. */
const ABSENT_LOOKS_MAX = 1
/** Where the system gives no event for a change in place (macOS), or lost it. */
const BACKSTOP_MS = 2_000

export interface RegistryOptions {
  readonly agent: { readonly id: string; readonly statusFiles: StatusFiles }
  readonly sink: Sink
  readonly complain: Complain
  /** The agent's homes; more can be added at any time. */
  readonly folders?: readonly string[]
  /** Files of busy sessions: read every two seconds in addition to all events. */
  readonly busyPaths?: () => Iterable<string>
  readonly now?: () => number
  readonly backstopMs?: number
  readonly againMs?: number
}

/** One home's status files, and their content when last read. */
interface Place {
  readonly folder: string
  readonly watch: FolderWatch
  readonly said: Map<string, string>
  /** Half-written or missing when last seen, and to be read again. */
  readonly unsettled: Map<string, NodeJS.Timeout>
  readonly complained: Set<string>
}

/** The client's own state, read when it changes (SPEC S9–S11). */
export class RegistrySource implements Watcher {
  readonly #options: RegistryOptions
  readonly #places = new Map<string, Place>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: RegistryOptions) {
    this.#options = options
    for (const home of options.folders ?? []) this.add(home)
  }

  get #files(): StatusFiles {
    return this.#options.agent.statusFiles
  }

  /** Watches a home's status files, from the first one on if it has none yet. */
  add(home: string): void {
    const folder = this.#files.folderOf(home)
    if (this.#places.has(folder)) return
    const watch: FolderWatch = new FolderWatch(folder, {
      onName: (name) => this.#look(place, name),
      onList: () => this.#list(place),
      complain: this.#options.complain,
    })
    const place: Place = {
      folder,
      watch,
      said: new Map(),
      unsettled: new Map(),
      complained: new Set(),
    }
    this.#places.set(folder, place)
    if (this.#timer) watch.ensure()
  }

  remove(home: string): void {
    const folder = this.#files.folderOf(home)
    const place = this.#places.get(folder)
    if (place) leave(place)
    this.#places.delete(folder)
  }

  start(): void {
    this.#timer = setInterval(() => this.#backstop(), this.#options.backstopMs ?? BACKSTOP_MS)
    for (const { watch } of this.#places.values()) watch.ensure()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    for (const place of this.#places.values()) leave(place)
  }

  #list(place: Place): void {
    // Includes those that are gone: no event reports a file removed with its folder.
    const names = new Set(place.said.keys())
    try {
      for (const name of readdirSync(place.folder)) names.add(name)
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        this.#complain(place, '', 'the client’s registry cannot be listed', errorCode(error))
    }
    for (const name of names) this.#look(place, name)
  }

  #look(place: Place, name: string, looks = 0): void {
    const pid = this.#files.pidIn(name)
    if (pid === undefined) return
    clearTimeout(place.unsettled.get(name))
    place.unsettled.delete(name)
    const read = readRegistryFile(join(place.folder, name))
    if (read.is === 'torn' && looks < TORN_LOOKS_MAX) this.#lookAgain(place, name, looks)
    else if (read.is === 'torn' || read.is === 'unusable')
      this.#complain(place, name, 'a registry file was ignored', read.why)
    else if (read.is === 'whole') this.#take(place, name, pid, this.#files.keep(read.file))
    else if (place.said.has(name) && looks < ABSENT_LOOKS_MAX) this.#lookAgain(place, name, looks)
    else if (place.said.delete(name)) this.#report(pid, null)
  }

  #lookAgain(place: Place, name: string, looks: number): void {
    const { againMs = AGAIN_MS } = this.#options
    const timer = setTimeout(() => this.#look(place, name, looks + 1), againMs)
    place.unsettled.set(name, timer)
  }

  #take(place: Place, name: string, pid: number, file: object): void {
    place.complained.delete(name)
    const said = JSON.stringify(file)
    if (place.said.get(name) === said) return
    place.said.set(name, said)
    this.#report(pid, file)
  }

  #report(pid: number, file: object | null): void {
    const t = (this.#options.now ?? Date.now)()
    const agent = this.#options.agent.id
    this.#options.sink([{ report: { t, source: 'registry', agent, pid, file } }])
  }

  #complain(place: Place, name: string, what: string, why: string): void {
    if (place.complained.has(name)) return
    place.complained.add(name)
    this.#options.complain(what, { folder: place.folder, name, why })
  }

  #backstop(): void {
    for (const { watch } of this.#places.values()) watch.ensure()
    for (const path of this.#options.busyPaths?.() ?? []) {
      const at = path.lastIndexOf('/')
      const place = this.#places.get(path.slice(0, at))
      if (place) this.#look(place, path.slice(at + 1))
    }
  }
}

function leave({ watch, unsettled }: Place): void {
  watch.close()
  for (const timer of unsettled.values()) clearTimeout(timer)
  unsettled.clear()
}
