import type { Migration } from './list.ts'

/** The fields of existing changes that figures need; nothing of a body of another kind. */
export const SAID_FROM_CHANGES = `
    INSERT OR IGNORE INTO said (session, t, id, past, state, what, since, cost)
    SELECT session, t, id, kind = 'past',
      CASE WHEN kind = 'gone' THEN 'gone' ELSE json_extract(body, '$.verdict.state') END,
      CASE WHEN kind = 'gone' THEN json_extract(body, '$.became')
           ELSE json_extract(body, '$.verdict.for') END,
      json_extract(body, '$.verdict.since'), json_extract(body, '$.verdict.details.costUsd')
    FROM changes WHERE json_valid(body)`

/**
 * `said` has the few fields of each change that figures need: a month of a busy fleet is a million
 * changes, a gigabyte of bodies and about fifty megabytes of this. `usage` has the tokens of each
 * message once, however many lines or forked transcripts repeat it. `absences` are the periods in
 * which vigil did not watch.
 */
export const insight: Migration = {
  version: 4,
  sql: `
    CREATE TABLE said (
      session TEXT NOT NULL,
      t       REAL NOT NULL,
      id      INTEGER NOT NULL,
      past    INTEGER NOT NULL,
      state   TEXT,
      what    TEXT,
      since   REAL,
      cost    REAL,
      PRIMARY KEY (session, t, id)
    ) WITHOUT ROWID;
    ${SAID_FROM_CHANGES};
    CREATE TRIGGER changes_unsaid AFTER DELETE ON changes BEGIN
      DELETE FROM said WHERE session = old.session AND t = old.t AND id = old.id;
    END;

    CREATE TABLE usage (
      message       TEXT PRIMARY KEY,
      session       TEXT NOT NULL,
      t             REAL NOT NULL,
      input         INTEGER NOT NULL,
      output        INTEGER NOT NULL,
      cache_read    INTEGER NOT NULL,
      cache_written INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX usage_age
      ON usage (t, message, session, input, output, cache_read, cache_written);

    CREATE TABLE absences (
      until REAL PRIMARY KEY,
      since REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
