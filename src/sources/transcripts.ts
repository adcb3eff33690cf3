import type { Logs } from '../agents/agent.ts'
import { parseJson } from '../core/json.ts'
import { isObject } from '../core/loop/fields.ts'
import type { Arrival, Complain, Cursor, Sink, Watcher } from './arrival.ts'
import { makeJsonSafe } from './safe-json.ts'
import { type LogLine, Tail } from './tail.ts'
import { openTranscript } from './transcript-file.ts'
import { TranscriptFolders } from './transcript-folders.ts'

/** One batch: parsed in about 10 ms, and in memory until it is committed. */
const BATCH_MAX_BYTES = 1024 * 1024
/** macOS may give no event for an append to a file held open; an overflow loses events. */
const BACKSTOP_MS = 2_000
/** Files whose read position is in memory; the log knows the others. */
const TAILS_MAX = 10_000

export interface TranscriptOptions {
  readonly agent: { readonly id: string; readonly logs: Logs }
  readonly sink: Sink
  readonly complain: Complain
  /** The committed read position of a file. */
  readonly cursorOf: (path: string) => Cursor | undefined
  /** The agent's homes; more can be added at any time. */
  readonly folders?: readonly string[]
  /** Transcripts of busy sessions: read every two seconds in addition to all events. */
  readonly busyPaths?: () => Iterable<string>
  readonly now?: () => number
  readonly backstopMs?: number
  readonly projectsMax?: number
}

/** Reads transcripts as they grow; those that do not grow cost nothing (SPEC S17–S25). */
export class TranscriptSource implements Watcher {
  readonly #options: TranscriptOptions
  readonly #folders: TranscriptFolders
  /** The one silent for longest first. */
  readonly #tails = new Map<string, Tail>()
  readonly #toRead = new Set<string>()
  readonly #complained = new Set<string>()
  #committing = false
  #scheduled = false
  #stopped = true
  #timer: NodeJS.Timeout | undefined

  constructor(options: TranscriptOptions) {
    this.#options = options
    this.#folders = new TranscriptFolders({
      logs: options.agent.logs,
      complain: options.complain,
      projectsMax: options.projectsMax,
      onFile: (path, appeared) => this.#onFile(path, appeared),
    })
    for (const home of options.folders ?? []) this.add(home)
  }

  /** Folders with a watch. */
  get watches(): number {
    return this.#folders.watches
  }

  /** Watches a home's logs, from the first one on if it has none yet. */
  add(home: string): void {
    this.#folders.add(home)
  }

  remove(home: string): void {
    this.#folders.remove(home)
  }

  start(): void {
    this.#stopped = false
    this.#folders.start()
    this.#timer = setInterval(() => this.#backstop(), this.#options.backstopMs ?? BACKSTOP_MS)
    this.#schedule()
  }

  stop(): void {
    this.#stopped = true
    clearInterval(this.#timer)
    this.#folders.stop()
  }

  /** For an open session: reads its end at once. Refuses and reports what is no transcript. */
  follow(path: string): boolean {
    const holds = this.#folders.holds(path)
    if (holds) this.#onFile(path, false)
    else this.#complain(path, 'expected a transcript in the agent’s own folder')
    return holds
  }

  /** For a session that ended: stops watching its subagents. */
  unfollow(session: string): void {
    this.#folders.unfollow(session)
  }

  /** For a client without hooks and registry file: see TranscriptFolders.findFor. */
  findFor(folderName: string, sinceMs: number): string | undefined {
    return this.#folders.findFor(folderName, sinceMs)
  }

  /** For a session that a status file names: see TranscriptFolders.logOf. */
  logOf(folderName: string, session: string): string | undefined {
    return this.#folders.logOf(folderName, session)
  }

  /** All files found so far have been read and learnt. */
  get isCaughtUp(): boolean {
    return !this.#scheduled && !this.#committing && this.#toRead.size === 0
  }

  #onFile(path: string, appeared: boolean): void {
    const { agent, cursorOf } = this.#options
    const open = (log: string) => openTranscript(agent.logs, log)
    if (!this.#tails.has(path))
      this.#tails.set(path, new Tail(path, cursorOf(path), appeared, open))
    this.#folders.follow(path, appeared)
    this.#toRead.add(path)
    this.#schedule()
  }

  /** All events of one turn of the loop make one batch; the next one waits for its commit. */
  #schedule(): void {
    if (this.#scheduled || this.#committing || this.#stopped || this.#toRead.size === 0) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      if (!this.#stopped && !this.#committing) this.#read()
    })
  }

  #read(): void {
    const arrivals: Arrival[] = []
    let bytes = 0
    for (const path of this.#toRead) {
      this.#toRead.delete(path)
      bytes += this.#readOne(path, arrivals)
      if (bytes >= BATCH_MAX_BYTES) break
    }
    if (arrivals.length === 0) {
      this.#schedule()
      return
    }
    this.#committing = true
    const learnt = () => {
      this.#committing = false
      this.#schedule()
    }
    this.#options.sink(arrivals, undefined, learnt)
  }

  /** A chunk of one file. Its rest waits behind the other files. */
  #readOne(path: string, arrivals: Arrival[]): number {
    const tail = this.#tails.get(path)
    if (!tail) return 0
    const { lines, bytes, more, gone, problem } = tail.read()
    this.#tails.delete(path)
    if (gone) return 0
    this.#remember(tail)
    if (problem) this.#complain(path, problem)
    for (const line of lines) this.#take(path, line, arrivals)
    if (more) this.#toRead.add(path)
    return bytes
  }

  #take(path: string, { text, cursor }: LogLine, arrivals: Arrival[]): void {
    const { id, logs } = this.#options.agent
    const entry = (logs.entryOf ?? parseJson)(text)
    if (!isObject(entry) || !makeJsonSafe(entry)) {
      this.#complain(path, 'a malformed line was skipped')
      return
    }
    if (logs.isNoise?.(entry)) return
    const t = (this.#options.now ?? Date.now)()
    arrivals.push({ report: { t, source: 'transcript', agent: id, path, entry }, cursor })
  }

  #remember(tail: Tail): void {
    this.#tails.set(tail.path, tail)
    const [silent] = this.#tails.keys()
    if (this.#tails.size > TAILS_MAX && silent !== undefined && !this.#toRead.has(silent))
      this.#tails.delete(silent)
  }

  /** Once per file. */
  #complain(path: string, why: string): void {
    if (this.#complained.has(path)) return
    if (this.#complained.size >= TAILS_MAX) this.#complained.clear()
    this.#complained.add(path)
    this.#options.complain('a transcript was not read in full', { path, why })
  }

  #backstop(): void {
    this.#folders.ensure()
    for (const path of this.#options.busyPaths?.() ?? [])
      if (this.#folders.holds(path)) this.#onFile(path, false)
  }
}
