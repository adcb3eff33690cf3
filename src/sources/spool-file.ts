import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode, openRegular, readAt } from '../home/regular-file.ts'
import type { Arrival } from './arrival.ts'
import { parseSpool, SPOOL_END } from './spool-parse.ts'

/** A hook carries whole tool results: 50 MB must pass, and 1 GB must not fill the memory. */
const SPOOL_FILE_MAX_BYTES = 64 * 1024 * 1024

export type Taken =
  | { readonly is: 'absent' }
  | { readonly is: 'incomplete' }
  | { readonly is: 'odd'; readonly what: string; readonly signature: string }
  | { readonly is: 'unusable'; readonly why: string; readonly bytes: number }
  | {
      readonly is: 'report'
      readonly name: string
      readonly arrival: Arrival
      readonly mtimeNs: bigint
      readonly bytes: number
    }

/** Reads one file of the spool. Returns a result for any content and never throws. */
export function takeSpoolFile(folder: string, name: string, nowMs: number): Taken {
  const opened = openRegular(join(folder, name))
  if (opened.is === 'absent' || opened.is === 'odd') return opened
  if (opened.is === 'unreadable') return { is: 'unusable', why: opened.why, bytes: 0 }
  const { fd, stats } = opened
  const bytes = Number(stats.size)
  try {
    if (bytes > SPOOL_FILE_MAX_BYTES)
      return { is: 'unusable', why: `larger than ${SPOOL_FILE_MAX_BYTES} bytes`, bytes }
    const content = completeContent(fd, bytes)
    if (content === undefined) return { is: 'incomplete' }
    // A clock set back leaves files from the future; a report cannot be later than now.
    const t = Math.min(Number(stats.mtimeNs / 1_000_000n), nowMs)
    const payload = content.subarray(content.indexOf('\n\n') + 2, -SPOOL_END.length)
    // Folders in the header may have names in any encoding; JSON has only one.
    const report = isUtf8(payload)
      ? parseSpool(name, content.toString('utf8'), t)
      : { rejected: 'not UTF-8' }
    if ('rejected' in report) return { is: 'unusable', why: String(report.rejected), bytes }
    const { mtimeNs } = stats
    const spooled = { name, digest: hash('sha256', payload) }
    const arrival = { report, key: `${name}@${mtimeNs}`, spooled }
    return { is: 'report', name, arrival, mtimeNs, bytes }
  } catch (error) {
    return { is: 'unusable', why: errorCode(error), bytes }
  } finally {
    closeSync(fd)
  }
}

/** The end is read first: a large file in the making is checked on each of its writes. */
function completeContent(fd: number, bytes: number): Buffer | undefined {
  const end = Buffer.allocUnsafe(SPOOL_END.length)
  if (bytes < end.length) return undefined
  if (bytes > 65_536) {
    readAt(fd, end, bytes - end.length)
    if (end.toString('latin1') !== SPOOL_END) return undefined
  }
  const content = Buffer.allocUnsafe(bytes)
  const have = content.subarray(0, readAt(fd, content, 0))
  return have.subarray(-SPOOL_END.length).toString('latin1') === SPOOL_END ? have : undefined
}
