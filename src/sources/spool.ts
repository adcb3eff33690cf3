import { rmSync, statSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { privateFolder } from '../home/folders.ts'
import { errorCode } from '../home/regular-file.ts'
import type { Complain, Sink, Watcher } from './arrival.ts'
import { FolderWatch } from './folder-watch.ts'
import { type Taken, takeSpoolFile } from './spool-file.ts'
import { SpoolLeftovers } from './spool-leftovers.ts'
import { byAge, LISTING_MAX, listByAge } from './spool-list.ts'

/** One transaction's worth: larger gains nothing, smaller commits too often. */
const BATCH_MAX_FILES = 512
/** A batch's content is in memory until it is committed. */
const BATCH_MAX_BYTES = 16 * 1024 * 1024
/** A slow disk must not block the event loop for longer; the batch is then what was read so far. */
const BATCH_MAX_MS = 20
/** Events are lost when the system's queue overflows (16,384 on Linux); this finds their files. */
const BACKSTOP_MS = 2_000
/** Incomplete files per backstop, so that a hundred thousand of them cost little. */
const INCOMPLETE_LOOKS_MAX = 1_000
/**
 * A folder changed twice within one tick of its clock shows one time: this young, list it again.
 */
const SETTLED_MS = 1_000
/** Their content is in memory meanwhile: about 100 MB at worst, a day of hooks on a full disk. */
const HELD_MAX = 20_000
/** vigil's own removals cause events; where the system lost count they are forgotten. */
const REMOVED_MAX = 10_000

export interface SpoolOptions {
  readonly folder: string
  readonly sink: Sink
  readonly complain: Complain
  /** Where unusable files go; beside the spool unless given. */
  readonly rejected?: string
  readonly now?: () => number
  readonly monotonicMs?: () => number
  readonly backstopMs?: number
}

type Report = Extract<Taken, { is: 'report' }>

/** Reads the files that hooks leave, in batches; each is removed once committed (SPEC S2). */
export class SpoolSource implements Watcher {
  readonly #options: SpoolOptions
  readonly #leftovers: SpoolLeftovers
  readonly #watch: FolderWatch
  /** The backlog by age, and how far it was read. */
  #backlog: readonly string[] = []
  #taken = 0
  readonly #named = new Set<string>()
  readonly #removed = new Set<string>()
  /** Delivered and not removed yet: their events are ignored. */
  readonly #held = new Set<string>()
  #committing = false
  #scheduled = false
  #listing = false
  #listedMtimeMs = -1
  #timer: NodeJS.Timeout | undefined
  #stopped = true
  #trouble: string | undefined
  readonly counts = { listings: 0, taken: 0 }

  constructor(options: SpoolOptions) {
    const { folder, complain, rejected = join(dirname(folder), 'rejected') } = options
    this.#options = options
    const monotonicMs = options.monotonicMs ?? (() => performance.now())
    this.#leftovers = new SpoolLeftovers(folder, rejected, complain, monotonicMs)
    const onList = () => void this.#list()
    this.#watch = new FolderWatch(folder, { onName: (name) => this.#note(name), onList, complain })
  }

  get rejected(): number {
    return this.#leftovers.rejected
  }

  /** Every file has been read and learnt. */
  get isCaughtUp(): boolean {
    return !this.#listing && !this.#scheduled && !this.#committing && !this.#hasMore()
  }

  start(): void {
    this.#stopped = false
    this.#ensureFolder()
    this.#timer = setInterval(() => this.#backstop(), this.#options.backstopMs ?? BACKSTOP_MS)
  }

  /** Files of an uncommitted batch are removed when it is committed. */
  stop(): void {
    this.#stopped = true
    clearInterval(this.#timer)
    this.#watch.close()
  }

  #ensureFolder(): boolean {
    try {
      privateFolder(this.#options.folder)
      this.#watch.ensure()
      return true
    } catch (error) {
      this.#complainOnce('the spool folder cannot be used', (error as Error).message)
      return false
    }
  }

  /** The same error returns with every backstop; it is logged once until it is over. */
  #complainOnce(what: string, why: string): void {
    if (this.#trouble !== what) this.#options.complain(what, { why })
    this.#trouble = what
  }

  #note(name: string): void {
    if (this.#removed.delete(name) || this.#held.has(name)) return
    this.#named.add(name)
    this.#schedule()
  }

  /** All events of one turn of the loop make one batch; the next one waits for its commit. */
  #schedule(): void {
    if (this.#scheduled || this.#committing || this.#stopped) return
    // While the log cannot be written, up to this many hooks are judged before their commit.
    if (this.#held.size > HELD_MAX) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      if (!this.#stopped && !this.#committing) this.#drain()
    })
  }

  #drain(): void {
    const { folder, now = Date.now } = this.#options
    const reports: Report[] = []
    const end = performance.now() + BATCH_MAX_MS
    let bytes = 0
    for (const name of this.#names()) {
      const taken = takeSpoolFile(folder, name, now())
      if (taken.is !== 'report') {
        this.#leftovers.put(name, taken)
        continue
      }
      this.#leftovers.settle(name)
      reports.push(taken)
      bytes += taken.bytes
      if (bytes > BATCH_MAX_BYTES || performance.now() > end) break
    }
    if (reports.length > 0) this.#handOver(reports)
    else if (this.#hasMore()) this.#schedule()
  }

  *#names(): Generator<string> {
    for (let count = 0; count < BATCH_MAX_FILES; count++) {
      const old = this.#backlog[this.#taken]
      const name = old ?? this.#named.values().next().value
      if (name === undefined) return
      if (old !== undefined) this.#taken++
      this.#named.delete(name)
      yield name
    }
  }

  #hasMore(): boolean {
    if (this.#taken < this.#backlog.length) return true
    this.#backlog = []
    this.#taken = 0
    return this.#named.size > 0
  }

  #handOver(reports: readonly Report[]): void {
    const inOrder = reports.toSorted(byAge)
    this.#committing = true
    for (const { name } of inOrder) this.#held.add(name)
    const arrivals = inOrder.map(({ arrival }) => arrival)
    const learnt = () => {
      this.#committing = false
      if (this.#hasMore()) this.#schedule()
    }
    this.#options.sink(arrivals, () => void this.#saved(inOrder), learnt)
  }

  async #saved(reports: readonly Report[]): Promise<void> {
    // After stop() the process may exit at once; otherwise the loop does not wait for the disk.
    const names = reports.map(({ name }) => name)
    if (this.#stopped) for (const name of names) this.#removeAtOnce(name)
    else await Promise.all(names.map((name) => this.#remove(name)))
    for (const name of names) this.#held.delete(name)
    this.counts.taken += reports.length
    if (this.#hasMore()) this.#schedule()
  }

  async #remove(name: string): Promise<void> {
    this.#removed.add(name)
    await unlink(join(this.#options.folder, name)).catch((error) => this.#notRemoved(name, error))
  }

  #removeAtOnce(name: string): void {
    try {
      rmSync(join(this.#options.folder, name), { force: true })
    } catch (error) {
      this.#notRemoved(name, error)
    }
  }

  /** When read again it has the same key, and is not counted twice. */
  #notRemoved(name: string, error: unknown): void {
    this.#removed.delete(name)
    if (errorCode(error) === 'ENOENT') return
    this.#complainOnce('a spool file cannot be removed', `${name}: ${errorCode(error)}`)
  }

  async #list(): Promise<void> {
    if (this.#listing || this.#stopped) return
    this.#listing = true
    this.counts.listings++
    const { folder, now = Date.now } = this.#options
    const mtimeMs = mtimeOf(folder)
    const settled = mtimeMs !== undefined && now() - mtimeMs > SETTLED_MS
    try {
      const names = await listByAge(folder, (name) => this.#isNews(name))
      this.#listedMtimeMs = settled && names.length < LISTING_MAX ? mtimeMs : -1
      this.#backlog = [...this.#backlog.slice(this.#taken), ...names]
      this.#taken = 0
      this.#trouble = undefined
    } catch (error) {
      const why = errorCode(error)
      if (why === 'ENOENT') this.#ensureFolder()
      else this.#complainOnce('the spool folder cannot be listed', why)
    } finally {
      this.#listing = false
    }
    if (this.#hasMore()) this.#schedule()
  }

  #isNews(name: string): boolean {
    return !this.#held.has(name) && !this.#leftovers.isIncomplete(name)
  }

  #backstop(): void {
    if (this.#committing || this.#hasMore()) return
    if (this.#removed.size > REMOVED_MAX) this.#removed.clear()
    if (!this.#ensureFolder()) return
    for (const name of this.#leftovers.incomplete(INCOMPLETE_LOOKS_MAX)) this.#named.add(name)
    if (this.#named.size > 0) this.#schedule()
    if (mtimeOf(this.#options.folder) !== this.#listedMtimeMs) void this.#list()
  }
}

function mtimeOf(folder: string): number | undefined {
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs
}
