import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Lock } from './lock.ts'

let folder: string
const children: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-lock-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** A process that takes the lock, reports whether it got it, and holds it until it is killed. */
async function contender(path: string): Promise<{ child: ChildProcess; got: boolean }> {
  const lock = new URL('./lock.ts', import.meta.url).href
  const script = `
    const { Lock } = await import(${JSON.stringify(lock)})
    const lock = Lock.take(${JSON.stringify(path)})
    process.stdout.write(lock ? 'got' : 'not')
    setInterval(() => lock, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [said] = await once(child.stdout as NodeJS.ReadableStream, 'data')
  return { child, got: String(said) === 'got' }
}

it('[K6] of many processes that race for it exactly one gets it', async () => {
  const path = join(folder, 'lock')
  const all = await Promise.all(Array.from({ length: 6 }, () => contender(path)))
  expect(all.filter(({ got }) => got)).toHaveLength(1)
})

it('[K6] it ends with its holder, however that ends', async () => {
  const path = join(folder, 'lock')
  const { child, got } = await contender(path)
  expect(got).toBe(true)
  expect(Lock.take(path)).toBeUndefined()
  child.kill('SIGKILL')
  await once(child, 'exit')
  const lock = Lock.take(path)
  expect(lock).toBeDefined()
  lock?.release()
  expect((await contender(path)).got).toBe(true)
})
