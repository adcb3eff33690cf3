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

/** A watcher of one thing that a client emits: what is new since the last look. */
interface Look {
  look(): RecordedLine[] | Promise<RecordedLine[]>
}

/** What is watched, by agent. */
export interface Looks {
  readonly fast: readonly Look[]
  readonly screens: Look
  /** A client was started in this terminal: its process is watched from now on. */
  readonly follow: (pane: Pane, cwd: string) => void
  /** A client's status so far. */
  readonly truthOf: (lines: readonly RecordedLine[], pane: Pane) => readonly Truth[]
  /** What is known only when all lines are there. */
  readonly finish?: (lines: RecordedLine[]) => void
}

/**
 * Records everything that a client emits, in order of arrival, with its own watchers: if it shared
 * code with vigil, both would miss the same things.
 */
export class Recorder {
  readonly lines: RecordedLine[] = []
  readonly #looks: Looks
  #on = true
  #loops: readonly Promise<void>[] = []

  constructor(looks: Looks) {
    this.#looks = looks
  }

  start(): void {
    const { fast, screens } = this.#looks
    const all = async () => (await Promise.all(fast.map((look) => look.look()))).flat()
    this.#loops = [
      this.#every(LOOK_EVERY_MS, all),
      this.#every(SCREENS_EVERY_MS, () => screens.look()),
    ]
  }

  note(source: string, fields: object): void {
    this.lines.push({ t: Date.now(), source, ...fields })
  }

  follow(pane: Pane, cwd: string): void {
    this.#looks.follow(pane, cwd)
  }

  truthOf(pane: Pane): readonly Truth[] {
    return this.#looks.truthOf(this.lines, pane)
  }

  /** Reads once more, to get the last changes. */
  async stop(): Promise<void> {
    if (!this.#on) return
    this.#on = false
    await Promise.all(this.#loops)
    this.lines.sort((a, b) => a.t - b.t)
    this.#looks.finish?.(this.lines)
  }

  async #every(ms: number, look: () => RecordedLine[] | Promise<RecordedLine[]>): Promise<void> {
    for (let last = false; !last; ) {
      last = !this.#on
      this.lines.push(...(await look()))
      if (!last) await sleep(ms)
    }
  }
}

/** Of Claude Code: its own status, or its screen's if this version has none. */
export function claudeLooks(place: Place, tmux: Tmux, version: string): Looks {
  const config = `${place.home}/.claude`
  const processes = new Processes()
  const tellsStatus = isAtLeast(version, STATUS_SINCE)
  return {
    fast: [new Inbox(place), new Registry(config), new Transcripts(config), processes],
    screens: new Screens(tmux),
    follow: ({ pid }, cwd) => processes.follow(pid, cwd),
    truthOf(lines, { pid, id }) {
      const own = lines.filter(
        ({ source, ...line }) => source === 'hook' || line.pid === pid || line.pane === id,
      )
      if (tellsStatus) return truthOf(own)
      const strand = { pids: new Set([pid]), sessions: new Set<string>(), alone: true }
      return screenTruthOf(strand, own, Date.now())
    },
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
