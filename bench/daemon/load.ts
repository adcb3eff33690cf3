import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Home, turn } from './home.ts'

const PER_SECOND = 5_000
const SECONDS = 10
const SESSIONS = 100

/**
 * 5,000 reports a second, written by another process: none is lost, and the daemon keeps up. A slow
 * disk would measure itself: use `TMPDIR=/dev/shm`.
 */
export async function load() {
  const home = new Home()
  const client = await home.start()
  const args = [fileURLToPath(import.meta.url), home.folders.spool]
  const writer = spawn(process.execPath, args, { stdio: 'inherit' })
  const ended = once(writer, 'exit')
  const begin = performance.now()
  let backlogMax = 0
  let writing = true
  void ended.then(() => {
    writing = false
  })
  while (writing) {
    backlogMax = Math.max(backlogMax, readdirSync(home.folders.spool).length)
    await sleep(200)
  }
  const writtenS = (performance.now() - begin) / 1000
  while (readdirSync(home.folders.spool).length > 0) await sleep(5)
  const takenS = (performance.now() - begin) / 1000
  const inLog = (await client.health()).sources.hook?.reports ?? 0
  await home.end()
  const reports = PER_SECOND * SECONDS
  return {
    reports,
    inLog,
    lost: reports - inLog,
    writtenPerSecond: reports / writtenS,
    takenPerSecond: reports / takenS,
    backlogMax,
    behindS: takenS - writtenS,
  }
}

/** Started as a process of its own: the hooks. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , spool = ''] = process.argv
  const { writeFileSync } = await import('node:fs')
  const begin = performance.now()
  for (let index = 0; index < PER_SECOND * SECONDS; index++) {
    if (index % 50 === 0) {
      const dueMs = begin + (index * 1000) / PER_SECOND - performance.now()
      if (dueMs > 1) await sleep(dueMs)
    }
    const text = `vigil 1\n\n${JSON.stringify(turn(index, SESSIONS))}\n.\n`
    writeFileSync(`${spool}/hook.${index + 1}`, text)
  }
}
