import type { DatabaseSync } from 'node:sqlite'

/**
 * Ids are never reused, even when their rows are gone: `*-gone` is the highest id that retention
 * removed (for acts: is about to remove). `acts-bytes` is the approximate size of all acts.
 * `watched` is when a daemon last ended.
 */
export type StoreMark = 'reports-gone' | 'changes-gone' | 'acts-gone' | 'acts-bytes' | 'watched'

export function readMark(db: DatabaseSync, name: StoreMark): number {
  return Number(db.prepare('SELECT value FROM marks WHERE name = ?').get(name)?.value ?? 0)
}

/** A mark only rises. */
export function raiseMark(db: DatabaseSync, name: StoreMark, value: number): void {
  db.prepare(
    `INSERT INTO marks (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`,
  ).run(name, value)
}
