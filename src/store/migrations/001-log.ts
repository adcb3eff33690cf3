import type { Migration } from './list.ts'

/**
 * `reports_age` includes the event so that counting events reads no row. `reports_session` ends,
 * like every index, with the row's id: it returns a session's reports in order.
 */
export const log: Migration = {
  version: 1,
  sql: `
    CREATE TABLE reports (
      id      INTEGER PRIMARY KEY,
      t       REAL NOT NULL,
      source  TEXT NOT NULL,
      session TEXT,
      key     TEXT,
      event   TEXT NOT NULL,
      body    TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX reports_key ON reports (key) WHERE key IS NOT NULL;
    CREATE INDEX reports_session ON reports (session);
    CREATE INDEX reports_age ON reports (t, event);

    CREATE TABLE changes (
      id      INTEGER PRIMARY KEY,
      t       REAL NOT NULL,
      session TEXT NOT NULL,
      kind    TEXT NOT NULL,
      body    TEXT NOT NULL
    ) STRICT;
    CREATE INDEX changes_session ON changes (session);
    CREATE INDEX changes_age ON changes (t);

    CREATE TABLE sessions (
      id       TEXT PRIMARY KEY,
      host     TEXT NOT NULL,
      agent    TEXT NOT NULL,
      state    TEXT NOT NULL,
      first_at REAL NOT NULL,
      last_at  REAL NOT NULL,
      open     INTEGER NOT NULL,
      parent   TEXT,
      body     TEXT NOT NULL
    ) STRICT;
    CREATE INDEX sessions_open ON sessions (id) WHERE open = 1;
    CREATE INDEX sessions_closed ON sessions (last_at) WHERE open = 0;

    CREATE TABLE cursors (
      path    TEXT PRIMARY KEY,
      inode   TEXT NOT NULL,
      read_to REAL NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE folders (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

    CREATE TABLE marks (
      name  TEXT PRIMARY KEY,
      value REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
