import type { Logs } from '../agents/agent.ts'
import { parseJson } from '../core/json.ts'
import { isObject } from '../core/loop/fields.ts'
import type { Arrival, Complain, Cursor, Sink, Watcher } from './arrival.ts'
import { type LogLine, Tail } from './tail.ts'
import { tame } from './tame.ts'
import { openTranscript } from './transcript-file.ts'
import { TranscriptFolders } from './transcript-folders.ts'

/** Read into one batch: parsed in about 10 ms, and all that is in memory until it is committed. */
const BATCH_MAX_BYTES = 1024 * 1024
/** macOS may give no event for an append to a file held open; an overflow loses events. */
const BACKSTOP_MS = 2_000
/** Files of which it is remembered how far they were read; the log knows the others. */
const TAILS_MAX = 10_000

export interface TranscriptOptions {
  readonly agent: { readonly id: string; readonly logs: Logs }
  readonly sink: Sink
  readonly complain: Complain
  /** How far the log has a file. */
  readonly cursorOf: (path: string) => Cursor | undefined
  /** The agent's homes; more can be added at any time. */
  readonly folders?: readonly string[]
  /** Transcripts of sessions that are busy: looked at every two seconds beside all events. */
  readonly busyPaths?: () => Iterable<string>
  readonly now?: () => number
  readonly backstopMs?: number
  readonly projectsMax?: number
}

/** Reads transcripts on as they grow; those that do not grow cost nothing (SPEC S17–S25). */
export class TranscriptSource implements Watcher {
  readonly #options: TranscriptOptions
  readonly #folders: TranscriptFolders
  /** The longest silent first. */
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

  /** Folders under watch. */
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

  /** Of an open session: its end is read at once. What is no transcript is refused and said. */
  follow(path: string): boolean {
    const holds = this.#folders.holds(path)
    if (holds) this.#onFile(path, false)
    else this.#complain(path, 'expected a log where its agent keeps them')
    return holds
  }

  /** Of a session that ended: its subagents are watched no longer. */
  unfollow(session: string): void {
    this.#folders.unfollow(session)
  }

  /** For a client that no hook and no registry speaks for: see TranscriptFolders.findFor. */
  findFor(folderName: string, sinceMs: number): string | undefined {
    return this.#folders.findFor(folderName, sinceMs)
  }

  /** Of a session that its status file names: see TranscriptFolders.logOf. */
  logOf(folderName: string, session: string): string | undefined {
    return this.#folders.logOf(folderName, session)
  }

  /** All that was found so far has been read and learnt. */
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

  /** A chunk of one file. What is left of it waits behind the other files. */
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
    if (!isObject(entry) || !tame(entry)) {
      this.#complain(path, 'a line that cannot be read is left out')
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

  /** Once a file. */
  #complain(path: string, why: string): void {
    if (this.#complained.has(path)) return
    if (this.#complained.size >= TAILS_MAX) this.#complained.clear()
    this.#complained.add(path)
    this.#options.complain('transcript not read in full', { path, why })
  }

  #backstop(): void {
    this.#folders.ensure()
    for (const path of this.#options.busyPaths?.() ?? [])
      if (this.#folders.holds(path)) this.#onFile(path, false)
  }
}
