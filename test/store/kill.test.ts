import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aPath, open } from './samples.ts'

const COMMITTER = fileURLToPath(new URL('./committer.ts', import.meta.url))
const KILLS = 30

it('[D3] what was acknowledged is there once after each of 30 kills', async () => {
  const path = aPath()
  const acknowledged = new Set<string>()
  const delays = fc.sample(fc.nat({ max: 120 }), KILLS)
  for (const [round, delayMs] of delays.entries()) {
    const before = acknowledged.size
    await runAndKill(path, round, delayMs, acknowledged)
    expect(acknowledged.size).toBeGreaterThan(before)
    expectWhole(path, acknowledged)
  }
  expect(acknowledged.size).toBeGreaterThan(KILLS * 20)
}, 120_000)

/** The child prints a key only after the commit that holds it has returned. */
async function runAndKill(path: string, round: number, delayMs: number, into: Set<string>) {
  const child = spawn(process.execPath, [COMMITTER, path, `${round}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  let said = ''
  const firstWord = new Promise<void>((resolve) => {
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString()
      resolve()
    })
  })
  await Promise.race([firstWord, failed(child)])
  await wait(delayMs)
  child.kill('SIGKILL')
  await closed
  // A line that was cut off was never acknowledged.
  for (const key of said.slice(0, said.lastIndexOf('\n')).split('\n')) into.add(key)
}

async function failed(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit')
  throw new Error(`the child ended by itself with ${code}`)
}

function expectWhole(path: string, acknowledged: ReadonlySet<string>): void {
  const { store, notice } = open(path)
  expect(notice).toBeUndefined()
  expect(store.known([...acknowledged]).size).toBe(acknowledged.size)
  store.close()
  const db = new DatabaseSync(path)
  expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  const twice = db.prepare('SELECT key FROM reports GROUP BY key HAVING count(*) > 1').all()
  expect(twice).toEqual([])
  // The cursor moved with the reports it stands for: reports and cursor are one transaction.
  const rows = db.prepare('SELECT count(*) AS n FROM reports').get()?.n
  const read = db.prepare('SELECT sum(read_to) AS n FROM cursors').get()?.n
  expect(rows).toBe(read)
  db.close()
}
