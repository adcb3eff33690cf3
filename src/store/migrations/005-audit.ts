import type { DatabaseSync } from 'node:sqlite'
import { chainUnchained } from '../chained.ts'
import type { Migration } from './list.ts'

/**
 * Acts become an audit log: each has the hash of the previous one, and what was shown when it was
 * decided. `acts-bytes` counts them, so that their limit needs no scan.
 */
export const audit: Migration = {
  version: 5,
  sql: `
    ALTER TABLE acts ADD COLUMN shown TEXT;
    ALTER TABLE acts ADD COLUMN digest TEXT;
    ALTER TABLE acts ADD COLUMN previous TEXT NOT NULL DEFAULT '';
    ALTER TABLE acts ADD COLUMN hash TEXT NOT NULL DEFAULT '';
    INSERT INTO marks (name, value)
      SELECT 'acts-bytes', coalesce(sum(400 + octet_length(words)), 0) FROM acts;
    CREATE TRIGGER acts_counted AFTER INSERT ON acts BEGIN
      UPDATE marks SET value = value + 400 + octet_length(new.words)
        + coalesce(octet_length(new.shown), 0) WHERE name = 'acts-bytes';
    END;
    CREATE TRIGGER acts_uncounted AFTER DELETE ON acts BEGIN
      UPDATE marks SET value = value - 400 - octet_length(old.words)
        - coalesce(octet_length(old.shown), 0) WHERE name = 'acts-bytes';
    END;
  `,
  finish: (db: DatabaseSync, now: number) => chainUnchained(db, now),
}
