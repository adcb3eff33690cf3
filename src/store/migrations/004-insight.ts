import type { Migration } from './list.ts'

const COLUMNS = 'session, t, id, past, state, what, since, cost'

/** What figures need of a change; a body of something else gives an empty row, which is not read. */
const SAID = (change: string) => `
  ${change}.session, ${change}.t, ${change}.id, ${change}.kind = 'past',
  CASE WHEN ${change}.kind = 'gone' THEN 'gone'
       ELSE json_extract(${change}.body, '$.verdict.state') END,
  CASE WHEN ${change}.kind = 'gone' THEN json_extract(${change}.body, '$.became')
       ELSE json_extract(${change}.body, '$.verdict.for') END,
  json_extract(${change}.body, '$.verdict.since'),
  json_extract(${change}.body, '$.verdict.details.costUsd')`

/**
 * `said` holds the few words of each change that figures are made of: a month of a busy fleet is
 * a million changes, a gigabyte of bodies and some fifty megabytes of this. Triggers keep it in
 * step whoever writes: commits, retention, salvage. `usage` has the tokens of each message once,
 * however many lines or forked transcripts repeat it. `absences` are the times when nobody watched.
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
    INSERT INTO said (${COLUMNS}) SELECT ${SAID('c')} FROM changes AS c WHERE json_valid(c.body);
    CREATE TRIGGER changes_said AFTER INSERT ON changes WHEN json_valid(new.body) BEGIN
      INSERT OR REPLACE INTO said (${COLUMNS}) VALUES (${SAID('new')});
    END;
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
    CREATE INDEX usage_age ON usage (t, session, input, output, cache_read, cache_written);

    CREATE TABLE absences (
      until REAL PRIMARY KEY,
      since REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
