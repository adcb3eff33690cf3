import { DatabaseSync } from 'node:sqlite'

/**
 * One daemon a user. The lock is one of the operating system's, taken through SQLite: it ends with
 * its process however that ends, so nothing stale is left behind by `kill -9`, and of two who race
 * for it one gets it. A file with a pid in it would do neither.
 */
export class Lock {
  readonly #held: DatabaseSync

  private constructor(held: DatabaseSync) {
    this.#held = held
  }

  /** The lock, or nothing when somebody else has it. */
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
