import type { Migration } from './list.ts'

/** The present state of a loop, and its history, one row per step, never changed. */
export const loops: Migration = {
  version: 2,
  sql: `
    CREATE TABLE loops (
      id         TEXT PRIMARY KEY,
      session    TEXT NOT NULL,
      open       INTEGER NOT NULL,
      updated_at REAL NOT NULL,
      body       TEXT NOT NULL
    ) STRICT;
    CREATE INDEX loops_open ON loops (id) WHERE open = 1;
    CREATE INDEX loops_closed ON loops (updated_at) WHERE open = 0;

    CREATE TABLE loop_steps (
      id   INTEGER PRIMARY KEY,
      loop TEXT NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX loop_steps_loop ON loop_steps (loop);
  `,
}
