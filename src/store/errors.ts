import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'

export type StoreTrouble = 'full' | 'read-only' | 'io' | 'corrupt' | 'busy' | 'gone' | 'other'

/** The log could not be written or read. Nothing of the operation is in it. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly reason: StoreTrouble

  constructor(reason: StoreTrouble, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

export function isDamage(error: unknown): boolean {
  return error instanceof StoreError && error.reason === 'corrupt'
}

/** What a failure of SQLite or of the file system means for the caller. */
export function storeError(doing: string, path: string, cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause
  const reason = isCannotOpen(cause) ? accessTrouble(path) : troubleOf(cause)
  const said = cause instanceof Error ? cause.message : String(cause)
  return new StoreError(reason, `${path}: ${doing}: ${said}; ${ADVICE[reason]}`, cause)
}

const ADVICE: Readonly<Record<StoreTrouble, string>> = {
  full: 'make room on the disk',
  'read-only': 'make the file and its folder writable for your user',
  io: 'check the disk and the folder',
  corrupt: 'restart vigil, which sets it aside and rebuilds it',
  busy: 'stop the other program that uses it',
  gone: 'start vigil again',
  other: 'nothing was written',
}

const CANNOT_OPEN = 14

/** SQLite's primary result codes; the extended ones hold them in their lowest byte. */
const BY_SQLITE_CODE: Readonly<Record<number, StoreTrouble>> = {
  3: 'read-only',
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  10: 'io',
  11: 'corrupt',
  13: 'full',
  [CANNOT_OPEN]: 'io',
  23: 'read-only',
  26: 'corrupt',
}

/** SQLite does not distinguish an unwritable folder from a missing one. */
function isCannotOpen(cause: unknown): boolean {
  const { errcode } = (cause ?? {}) as { errcode?: unknown }
  return typeof errcode === 'number' && (errcode & 0xff) === CANNOT_OPEN
}

function accessTrouble(path: string): StoreTrouble {
  try {
    accessSync(dirname(path), constants.W_OK)
    accessSync(path, constants.W_OK)
    return 'io'
  } catch (error) {
    const trouble = troubleOf(error)
    return trouble === 'other' ? 'io' : trouble
  }
}

/** The index of the write-ahead log could not grow: an IO error by code, a full disk by cause. */
const IOERR_SHMSIZE = 4874

const BY_SYSTEM_CODE: Readonly<Record<string, StoreTrouble>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  EIO: 'io',
}

export function troubleOf(cause: unknown): StoreTrouble {
  if (typeof cause !== 'object' || cause === null) return 'other'
  const { errcode, code } = cause as { errcode?: unknown; code?: unknown }
  if (errcode === IOERR_SHMSIZE) return 'full'
  if (typeof errcode === 'number') return BY_SQLITE_CODE[errcode & 0xff] ?? 'other'
  return (typeof code === 'string' && BY_SYSTEM_CODE[code]) || 'other'
}
