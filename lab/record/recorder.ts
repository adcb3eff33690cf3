import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordedLine, Truth } from '../../src/agents/truth-reader.ts'
import { isAtLeast } from '../../src/agents/version.ts'
import { truthOf } from '../../src/recording/truth.ts'
import { STATUS_SINCE } from '../clients.ts'
import type { Pane } from '../drive/pane.ts'
import type { Place } from '../drive/place.ts'
import type { Tmux } from '../drive/tmux.ts'
import { screenTruthOf } from '../score/screen-truth.ts'
import { Inbox } from './inbox.ts'
import { Processes } from './processes.ts'
import { Registry } from './registry.ts'
import { Screens } from './screens.ts'
import { Transcripts } from './transcripts.ts'

/**
 * Between two reads of files and processes. The client's own file is the measure of everything: a
 * change is recorded at most this long after it could be read.
 */
const LOOK_EVERY_MS = 15

/** Five times a second, as the format says; each look starts a tmux. */
const SCREENS_EVERY_MS = 200

/**
 * Records everything that a client emits, in order of arrival, with its own watchers: if it shared
 * code with vigil, both would miss the same things.
 */
export class Recorder {
  readonly lines: RecordedLine[] = []
  readonly #place: Place
  readonly #tmux: Tmux
  readonly #tellsStatus: boolean
  readonly #processes = new Processes()
  #on = true
  #loops: readonly Promise<void>[] = []

  constructor(place: Place, tmux: Tmux, version: string) {
    this.#place = place
    this.#tmux = tmux
    this.#tellsStatus = isAtLeast(version, STATUS_SINCE)
  }

  start(): void {
    const config = `${this.#place.home}/.claude`
    const looks = [
      new Inbox(this.#place),
      new Registry(config),
      new Transcripts(config),
      this.#processes,
    ]
    const screens = new Screens(this.#tmux)
    this.#loops = [
      this.#every(LOOK_EVERY_MS, () => looks.flatMap((look) => look.look())),
      this.#every(SCREENS_EVERY_MS, () => screens.look()),
    ]
  }

  note(source: string, fields: object): void {
    this.lines.push({ t: Date.now(), source, ...fields })
  }

  /** A client was started: its process is watched from now on. */
  follow(pid: number, cwd: string): void {
    this.#processes.follow(pid, cwd)
  }

  /** A client's status so far: its own, or its screen's if it has none. */
  truthOf({ pid, id }: Pane): readonly Truth[] {
    const own = this.lines.filter(
      ({ source, ...line }) => source === 'hook' || line.pid === pid || line.pane === id,
    )
    if (this.#tellsStatus) return truthOf(own)
    const strand = { pids: new Set([pid]), sessions: new Set<string>(), alone: true }
    return screenTruthOf(strand, own, Date.now())
  }

  /** Reads once more, to get the last changes. */
  async stop(): Promise<void> {
    this.#on = false
    await Promise.all(this.#loops)
    this.lines.sort((a, b) => a.t - b.t)
  }

  async #every(ms: number, look: () => RecordedLine[] | Promise<RecordedLine[]>): Promise<void> {
    for (let last = false; !last; ) {
      last = !this.#on
      this.lines.push(...(await look()))
      if (!last) await sleep(ms)
    }
  }
}

/** A folder that is not there yet is empty. */
export function namesIn(folder: string, options: { recursive?: boolean } = {}): string[] {
  try {
    return readdirSync(folder, { ...options, encoding: 'utf8' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
