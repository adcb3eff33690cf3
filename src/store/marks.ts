import type { DatabaseSync } from 'node:sqlite'

/**
 * Ids are never given twice, also when the rows that bore them are gone: `*-gone` is the highest
 * id that retention took (of acts: is to take). `acts-bytes` is about how much room all acts take.
 * `watched` is when a daemon last left.
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
