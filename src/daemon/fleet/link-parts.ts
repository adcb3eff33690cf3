import type { Heartbeat } from '../../fleet/shapes.ts'
import type { FleetTransport } from '../../fleet/transport.ts'
import type { Session } from '../../protocol/session.ts'
import type { RowChange } from '../stream/row-changes.ts'
import type { IncomingParts } from './incoming.ts'
import type { Membership } from './membership.ts'

/** The sessions of this machine, and which of them change. */
export interface OwnRows {
  ids(): Iterable<string>
  row(id: string): Session | undefined
  onChange(listener: (change: RowChange) => void): () => void
}

export interface LinkParts {
  readonly membership: Membership
  readonly transport: FleetTransport
  readonly own: OwnRows
  readonly app: IncomingParts['app']
  readonly about: () => Pick<Heartbeat, 'name' | 'version' | 'run' | 'startedAt' | 'troubles'>
  readonly now: () => number
  /** Rows of other machines may have changed. */
  readonly onRemoteRows: (addresses: readonly string[]) => void
  readonly onMachine: () => void
  readonly onRoster: () => void
  /** Every 5 s. */
  readonly onBeat: () => void
  readonly onFault: (error: unknown) => void
  readonly onTrouble: (
    about: 'server' | 'clone' | 'rows' | 'bucket',
    what: string | undefined,
  ) => void
}
