import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tokenAt } from '../../src/daemon/api/token.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-token-'))
  path = join(folder, 'run', 'token')
})
afterEach(() => rmSync(folder, { recursive: true, maxRetries: 10 }))

describe('the token', () => {
  it('[P2] is 256 random bits in a file for its user alone, and stays the same', () => {
    const token = tokenAt(path)
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'run')).mode & 0o777).toBe(0o700)
    expect(tokenAt(path)).toBe(token)
    expect(tokenAt(join(folder, 'run', 'another'))).not.toBe(token)
    expect(readdirSync(join(folder, 'run'))).toEqual(['another', 'token'])
  })

  it('[P2] is one, however many make it at once', async () => {
    const code = `
      const { parentPort, workerData } = require('node:worker_threads')
      import(workerData.module).then(({ tokenAt }) => {
        Atomics.wait(new Int32Array(workerData.start), 0, 0, 5000)
        parentPort.postMessage(tokenAt(workerData.path))
      })`
    const start = new SharedArrayBuffer(4)
    const module = new URL('../../src/daemon/api/token.ts', import.meta.url).href
    const workers = Array.from(
      { length: 6 },
      () => new Worker(code, { eval: true, workerData: { module, path, start } }),
    )
    const tokens = workers.map(
      (worker) =>
        new Promise((resolve, reject) => {
          worker.once('message', resolve)
          worker.once('error', reject)
        }),
    )
    await Promise.all(
      workers.map((worker) => new Promise((resolve) => worker.once('online', resolve))),
    )
    Atomics.store(new Int32Array(start), 0, 1)
    Atomics.notify(new Int32Array(start), 0)
    expect(new Set(await Promise.all(tokens)).size).toBe(1)
  })

  it('[P2] that others could read is closed to them', () => {
    const token = tokenAt(path)
    chmodSync(path, 0o644)
    expect(tokenAt(path)).toBe(token)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('[P2] is not read through a link, from a folder, or from a file of something else', () => {
    tokenAt(path)
    symlinkSync(path, join(folder, 'run', 'link'))
    mkdirSync(join(folder, 'run', 'folder'))
    writeFileSync(join(folder, 'run', 'short'), 'abc\n')
    expect(() => tokenAt(join(folder, 'run', 'link'))).toThrow(/is a link/)
    expect(() => tokenAt(join(folder, 'run', 'folder'))).toThrow(/expected a file/)
    expect(() => tokenAt(join(folder, 'run', 'short'))).toThrow(/expected 64 hex digits/)
    expect(readFileSync(join(folder, 'run', 'short'), 'utf8')).toBe('abc\n')
  })

  it.runIf(process.getuid?.() === 0)('[P2] of another user is refused', () => {
    tokenAt(path)
    chownSync(path, 12_345, 12_345)
    expect(() => tokenAt(path)).toThrow(/belongs to user 12345/)
  })
})
