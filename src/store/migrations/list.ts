import type { DatabaseSync } from 'node:sqlite'
import { log } from './001-log.ts'
import { loops } from './002-loops.ts'
import { acts } from './003-acts.ts'
import { insight } from './004-insight.ts'
import { audit } from './005-audit.ts'
import { agents } from './006-agents.ts'

export interface Migration {
  /** Also the value of `PRAGMA user_version` afterwards. Released ones are never edited. */
  readonly version: number
  readonly sql: string
  /** What SQL alone cannot do, in the same transaction. */
  readonly finish?: (db: DatabaseSync, now: number) => void
}

/** In order, without a gap. Each needs a fixture: `node test/store/make-fixture.ts`. */
export const MIGRATIONS: readonly Migration[] = [log, loops, acts, insight, audit, agents]

export const SCHEMA_VERSION = MIGRATIONS.length
