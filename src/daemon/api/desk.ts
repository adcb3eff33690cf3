import type { Fleet } from '../fleet.ts'
import type { Subscribers } from './events.ts'
import type { Gate } from './gate.ts'

/** What the routes of all doors share. */
export interface Desk {
  readonly fleet: Fleet
  readonly gate: Gate
  readonly subscribers: Subscribers
  readonly now: () => number
  /** How long a change may wait for the log: while the disk is full it waits for ever. */
  readonly logWaitMaxMs: number
}
