import type { Cursor } from '../sources/arrival.ts'
import type { LoggedChange, NewReport } from '../store/store.ts'

/** What the next transaction will write, so far. */
export interface Unsaved {
  reports: NewReport[]
  changes: LoggedChange[]
  renamed: { from: string; to: string }[]
  readonly touched: Set<string>
  readonly cursors: Map<string, Cursor>
  readonly keys: Set<string>
  saved: (() => void)[]
}

export function nothingUnsaved(): Unsaved {
  return {
    reports: [],
    changes: [],
    renamed: [],
    touched: new Set(),
    cursors: new Map(),
    keys: new Set(),
    saved: [],
  }
}

export function isNothing({ reports, changes, touched, cursors, saved }: Unsaved): boolean {
  return reports.length + changes.length + touched.size + cursors.size + saved.length === 0
}
