import type { Migration } from './list.ts'

/** Each folder belongs to an agent; folders from before there were several name none. */
export const agents: Migration = {
  version: 6,
  sql: `ALTER TABLE folders ADD COLUMN agent TEXT NOT NULL DEFAULT '';`,
}
