import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { aCommit, aNew, aPath, open } from '../../test/store/samples.ts'
import { tornWal } from './wal.ts'

const FRAME_BYTES = 24 + 4096

it('[D5] a write-ahead log is sound while it grows, is begun again and is cut at any byte', () => {
  const { wal } = grown(30)
  expect(tornWal(wal)).toBeUndefined()
  const size = readFileSync(wal).length
  // Cut anywhere, as by a kill in the middle of a write.
  for (let cut = size; cut > 0; cut -= 997) {
    truncateSync(wal, cut)
    expect(tornWal(wal)).toBeUndefined()
  }
  expect(tornWal(`${wal}-missing`)).toBeUndefined()
})

it('[D5] frames of an earlier round behind the newest are no damage', () => {
  const path = aPath()
  const { store } = open(path)
  for (let n = 0; n < 200; n += 1) store.commit(aCommit({ reports: [aNew(n)] }))
  const before = readFileSync(`${path}-wal`).length
  // A checkpoint by another connection lets the next commit begin at the front.
  const other = new DatabaseSync(path)
  other.exec('PRAGMA wal_checkpoint(FULL)')
  other.close()
  store.commit(aCommit({ reports: [aNew(1_000)] }))
  expect(readFileSync(`${path}-wal`).length).toBe(before)
  expect(tornWal(`${path}-wal`)).toBeUndefined()
})

it('[D5] a byte turned anywhere before the last commit is seen', () => {
  const { wal, bytes } = grown(30)
  const frames = Math.floor((bytes.length - 32) / FRAME_BYTES)
  const lastCommit = lastCommitIn(bytes, frames)
  for (let at = 0; at < 32 + lastCommit * FRAME_BYTES; at += 1_009) {
    writeFileSync(wal, turned(bytes, at))
    expect(tornWal(wal), `byte ${at}`).toMatch(/write-ahead log/)
  }
})

it('[D5] what a kill may leave behind the last commit is no damage', () => {
  const { wal, bytes } = grown(5)
  const frames = Math.floor((bytes.length - 32) / FRAME_BYTES)
  const end = 32 + (lastCommitIn(bytes, frames) + 1) * FRAME_BYTES
  // A frame of an unfinished transaction: it has the salts, a wrong checksum and no commit.
  const unfinished = Buffer.from(bytes.subarray(end - FRAME_BYTES, end))
  unfinished.writeUInt32BE(0, 4)
  writeFileSync(wal, Buffer.concat([bytes.subarray(0, end), unfinished, unfinished]))
  expect(tornWal(wal)).toBeUndefined()
})

/** A copy of a log's WAL, so that changes to it affect no connection. */
function grown(commits: number): { wal: string; bytes: Buffer } {
  const path = aPath()
  const { store } = open(path)
  for (let n = 0; n < commits; n += 1) store.commit(aCommit({ reports: [aNew(n)] }))
  const wal = `${path}.copy`
  copyFileSync(`${path}-wal`, wal)
  return { wal, bytes: readFileSync(wal) }
}

function lastCommitIn(bytes: Buffer, frames: number): number {
  const all = Array.from({ length: frames }, (_, frame) => frame)
  return all.findLast((frame) => bytes.readUInt32BE(32 + frame * FRAME_BYTES + 4) !== 0) ?? 0
}

function turned(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt8((copy.readUInt8(at) ^ 0xff) & 0xff, at)
  return copy
}
