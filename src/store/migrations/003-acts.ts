import type { Migration } from './list.ts'

/** What somebody did to a session through vigil, never changed; and what agents ask at present. */
export const acts: Migration = {
  version: 3,
  sql: `
    CREATE TABLE acts (
      id      INTEGER PRIMARY KEY,
      at      REAL NOT NULL,
      session TEXT NOT NULL,
      what    TEXT NOT NULL,
      who     TEXT NOT NULL,
      place   TEXT NOT NULL,
      words   TEXT NOT NULL
    ) STRICT;
    CREATE INDEX acts_session ON acts (session);
    CREATE INDEX acts_age ON acts (at);

    CREATE TABLE requests (
      id      TEXT PRIMARY KEY,
      session TEXT NOT NULL,
      at      REAL NOT NULL,
      body    TEXT NOT NULL
    ) STRICT;
  `,
}
