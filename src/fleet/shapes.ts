import type { TypeOf } from '../protocol/schema.ts'
import type * as payloads from './payloads.ts'

/** What machines of a fleet send each other, by the schemas that check it. */

export type Member = TypeOf<typeof payloads.memberShape>
export type Roster = TypeOf<typeof payloads.rosterShape>
export type Lookers = TypeOf<typeof payloads.lookersShape>
export type Heartbeat = TypeOf<typeof payloads.heartbeatShape>
export type SharedRow = TypeOf<typeof payloads.sharedRowShape>
export type RemoteCall = TypeOf<typeof payloads.remoteCallShape>
export type RemoteReply = TypeOf<typeof payloads.remoteReplyShape>

/** A row of this machine that is in the bucket; without its content it is put again. */
export interface StoredRow {
  readonly key: string
  readonly rev: number
  readonly row?: SharedRow | undefined
}
