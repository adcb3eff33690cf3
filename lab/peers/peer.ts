import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import type { ClientRun } from '../../src/recording/client-runs.ts'

/** What a system says from `t` on: working, waiting, idle, error or closed, or nearer to these. */
export interface Said {
  readonly t: number
  readonly state: string
}

/** One client of a run, as a system may look at it. */
export interface View {
  /** What is about this client. */
  readonly lines: readonly RecordedLine[]
  /** The clock runs on past the last line. */
  readonly endAt: number
  /** The whole run, for a system that finds out by itself what is about whom. */
  readonly run: readonly RecordedLine[]
  readonly strand: ClientRun
}

/** A system that judges a client: takes only what it can see, and each when it can see it. */
export interface Peer {
  readonly name: string
  /** How it knows. */
  readonly knows: string
  readonly judge: (view: View) => readonly Said[]
}

/** A peer that could not be brought here: what stands in its row instead. */
export interface Absent {
  readonly name: string
  readonly knows: string
  readonly absent: string
}

/** Keeps what was said, each only when it is news. */
export class Sayings {
  readonly all: Said[] = []

  get state(): string | undefined {
    return this.all.at(-1)?.state
  }

  say(t: number, state: string): void {
    if (this.state !== state) this.all.push({ t, state })
  }
}

/** The moments a system looks by itself: every `everyMs` after `from`, until `endAt`. */
export function* ticks(from: number, everyMs: number, endAt: number): Generator<number> {
  for (let t = from + everyMs; t <= endAt; t += everyMs) yield t
}
