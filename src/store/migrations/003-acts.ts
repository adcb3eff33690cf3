import type { Migration } from './list.ts'

/** What users did to sessions through vigil, never changed; and the open requests of agents. */
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
