import type { EntryOrigin } from './remote-rows.ts'
import type { Heartbeat } from './shapes.ts'

/** Both clocks of this machine at one moment. */
export interface Moment {
  /** Milliseconds by a clock that is never set. */
  readonly mono: number
  /** Milliseconds since 1970. */
  readonly wall: number
}

export interface BeatEntry extends EntryOrigin {
  readonly beat: Heartbeat
  /** By `mono`, where it was read later than it arrived. */
  readonly arrivedAt?: number | undefined
}

/** SPEC FL160. What a machine says when it is asked: its clock, and which rows it has stored. */
export interface MachineWord extends Pick<Heartbeat, 'rows' | 'digest'> {
  readonly at: number
}

/** Another machine, as this one sees it. */
export interface RemoteMachine {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly online: boolean
  /** By this machine's clock; null if it was never heard from. */
  readonly lastHeardAt: number | null
  readonly sessions: number
  /** To be added to its times. */
  readonly clockOffsetMs: number
  readonly troubles: readonly string[]
  /** All rows that it last said it has are here. */
  readonly isComplete: boolean
}

export interface RemoteParts {
  /** This machine: its rows are not remote. */
  readonly own: string
  /** Rows of the machine are missing: read its keys again, and give them to `takeListing`. */
  readonly refetch: (machine: string) => void
  /** SPEC FL160. Ask the machine, and give what it signs to `prove`. */
  readonly ask: (machine: string) => void
}
