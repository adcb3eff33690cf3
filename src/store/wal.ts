import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'

/** Larger ones are left to SQLite: a checkpoint comes every 8 MB. */
const WAL_MAX_BYTES = 64 * 1024 * 1024

/**
 * What is wrong with a write-ahead log, in words; undefined for a sound one. SQLite reads up to the
 * first damaged frame and treats the rest as never written: acknowledged commits would be missing
 * silently. A process killed while writing leaves a torn end too, but never a committing frame
 * behind a damaged one: frames are written one after the other.
 */
export function tornWal(path: string): string | undefined {
  const bytes = contentOf(path)
  if (bytes === undefined || bytes.length <= HEAD_BYTES) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const head = headOf(view)
  if (!head) return 'the head of its write-ahead log is damaged'
  const frameBytes = FRAME_HEAD_BYTES + head.pageBytes
  const frames = Math.floor((bytes.length - HEAD_BYTES) / frameBytes)
  const sound = soundFrames(view, head, frames)
  for (let frame = sound + 1; frame < frames; frame += 1) {
    const at = HEAD_BYTES + frame * frameBytes
    if (bearsSalt(view, at, head) && view.getUint32(at + 4) !== 0)
      return `its write-ahead log is damaged at frame ${sound + 1} of ${frames}`
  }
  return undefined
}

const HEAD_BYTES = 32
const FRAME_HEAD_BYTES = 24
const MAGIC = 0x377f0682
const FORMAT = 3007000

interface Head {
  readonly pageBytes: number
  readonly littleEndian: boolean
  readonly salts: readonly [number, number]
  readonly sum: Sum
}

type Sum = readonly [number, number]

function contentOf(path: string): Buffer | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    return fstatSync(file).size > WAL_MAX_BYTES ? undefined : readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * All fields are big-endian; the lowest bit of the magic number gives the checksums' byte order.
 */
function headOf(view: DataView): Head | undefined {
  const magic = view.getUint32(0)
  const pageBytes = view.getUint32(8)
  if ((magic & ~1) >>> 0 !== MAGIC || view.getUint32(4) !== FORMAT) return undefined
  if (pageBytes < 512 || pageBytes > 65536 || (pageBytes & (pageBytes - 1)) !== 0) return undefined
  const littleEndian = magic === MAGIC
  const sum = summed(view, 0, 24, [0, 0], littleEndian)
  if (view.getUint32(24) !== sum[0] || view.getUint32(28) !== sum[1]) return undefined
  return { pageBytes, littleEndian, salts: [view.getUint32(16), view.getUint32(20)], sum }
}

/** Each frame's checksum continues from the previous one. */
function soundFrames(view: DataView, head: Head, frames: number): number {
  let sum = head.sum
  for (let frame = 0; frame < frames; frame += 1) {
    const at = HEAD_BYTES + frame * (FRAME_HEAD_BYTES + head.pageBytes)
    if (!bearsSalt(view, at, head)) return frame
    sum = summed(view, at, 8, sum, head.littleEndian)
    sum = summed(view, at + FRAME_HEAD_BYTES, head.pageBytes, sum, head.littleEndian)
    if (view.getUint32(at + 16) !== sum[0] || view.getUint32(at + 20) !== sum[1]) return frame
  }
  return frames
}

/** Frames of an earlier round of the log follow the newest ones and have other salts. */
function bearsSalt(view: DataView, at: number, { salts }: Head): boolean {
  return view.getUint32(at + 8) === salts[0] && view.getUint32(at + 12) === salts[1]
}

function summed(view: DataView, from: number, bytes: number, [a, b]: Sum, little: boolean): Sum {
  let first = a
  let second = b
  for (let at = from; at < from + bytes; at += 8) {
    first = (first + view.getUint32(at, little) + second) >>> 0
    second = (second + view.getUint32(at + 4, little) + first) >>> 0
  }
  return [first, second]
}
