import { closeSync, openSync, readSync } from 'node:fs'

const HEADER_BYTES = 100

/**
 * What is wrong with the first 100 bytes of a database, in words; undefined for sound ones. SQLite
 * reports some of these faults as a read-only file or an unknown format, which would look like a
 * disk error and leave vigil without a log for good.
 */
export function brokenHeader(path: string): string | undefined {
  const header = firstBytes(path)
  if (header.length === 0) return 'is empty'
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    return 'is not a database'
  const pageBytes = header.readUInt16BE(16)
  const power = pageBytes === 1 || (pageBytes >= 512 && (pageBytes & (pageBytes - 1)) === 0)
  // Bytes 18 and 19 are the versions needed to write and to read, 20 to 23 are constants.
  const versions = [header[18], header[19]].every((version) => version === 1 || version === 2)
  const constants = header.readUInt32BE(20) === 0x00402020
  // Both are 0 in a database without a table.
  const format = header.readUInt32BE(44) <= 4
  const utf8 = header.readUInt32BE(56) <= 1
  return power && versions && constants && format && utf8 ? undefined : 'has a damaged header'
}

function firstBytes(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(HEADER_BYTES)
    return buffer.subarray(0, readSync(file, buffer, 0, HEADER_BYTES, 0))
  } finally {
    closeSync(file)
  }
}
