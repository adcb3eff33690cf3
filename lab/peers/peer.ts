import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import type { ClientRun } from '../../src/recording/client-runs.ts'

/** A system's verdict from `t` on: working, waiting, idle, error or closed, or a finer one. */
export interface Said {
  readonly t: number
  readonly state: string
}

/** One client of a run, as a system may observe it. */
export interface View {
  /** What is about this client. */
  readonly lines: readonly RecordedLine[]
  /** The clock runs on past the last line. */
  readonly endAt: number
  /** The whole run, for a system that assigns lines to clients by itself. */
  readonly run: readonly RecordedLine[]
  readonly strand: ClientRun
}

/** A system that judges a client: it gets only what it can see, when it can see it. */
export interface Peer {
  readonly name: string
  /** How it knows. */
  readonly knows: string
  readonly judge: (view: View) => readonly Said[]
}

/** A peer that could not be installed: the text in its row instead. */
export interface Absent {
  readonly name: string
  readonly knows: string
  readonly absent: string
}

/** Records verdicts, each only if it is new. */
export class Sayings {
  readonly all: Said[] = []

  get state(): string | undefined {
    return this.all.at(-1)?.state
  }

  say(t: number, state: string): void {
    if (this.state !== state) this.all.push({ t, state })
  }
}

/** The moments at which a system polls: every `everyMs` after `from`, until `endAt`. */
export function* ticks(from: number, everyMs: number, endAt: number): Generator<number> {
  for (let t = from + everyMs; t <= endAt; t += everyMs) yield t
}
