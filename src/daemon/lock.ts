import { DatabaseSync } from 'node:sqlite'

/**
 * One daemon per user. The lock is the operating system's, taken through SQLite: it ends with its
 * process however that ends, so `kill -9` leaves nothing stale, and of two processes that race for
 * it one gets it. A file with a pid in it would do neither.
 */
export class Lock {
  readonly #held: DatabaseSync

  private constructor(held: DatabaseSync) {
    this.#held = held
  }

  /** The lock, or undefined when another process has it. */
  static take(path: string): Lock | undefined {
    const database = new DatabaseSync(path)
    try {
      database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
      return new Lock(database)
    } catch (error) {
      database.close()
      if (isBusy(error)) return undefined
      throw error
    }
  }

  release(): void {
    this.#held.close()
  }
}

const SQLITE_BUSY = 5

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === SQLITE_BUSY
}
