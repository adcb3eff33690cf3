import type { Session } from '../../protocol/session.ts'
import type { RowChange } from '../stream/row-changes.ts'

/** The sessions of this machine, and which of them change. */
export interface OwnRows {
  ids(): Iterable<string>
  row(id: string): Session | undefined
  onChange(listener: (change: RowChange) => void): () => void
}
