/**
 * `npm run bench:audit [-- --json]`: verifies a million acts over the socket in bounded memory, and
 * measures that a new act still costs the same.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { COMMAND } from '../src/client/start.ts'
import { headFileOf, writeHead } from '../src/store/audit-head.ts'
import { actHash, GENESIS } from '../src/store/chain.ts'
import { openStore } from '../src/store/open.ts'
import { Home, median } from './daemon/home.ts'
import { at, measure } from './limits.ts'

const ACTS = 1_000_000

await measure([
  {
    name: 'audit',
    limit: 'a million acts: verify whole, command and daemon ≤ 400 MB each; an act ≤ 20 ms',
    run: verified,
    holds: (figures) =>
      at(figures, 'exitCode') === 0 &&
      at(figures, 'commandMb') <= 400 &&
      at(figures, 'daemonMb') <= 400 &&
      at(figures, 'noteMs') <= 20,
  },
])

async function verified() {
  const home = new Home()
  fill(home)
  const noteMs = noteTime(home)
  await home.start()
  const begun = performance.now()
  const args = [COMMAND, 'audit', 'verify']
  const command = spawn(process.execPath, args, { env: home.env, stdio: 'ignore' })
  let [commandMb, daemonMb] = [0, 0]
  const ended = once(command, 'exit')
  while (command.exitCode === null && command.signalCode === null) {
    commandMb = Math.max(commandMb, residentMb(command.pid))
    daemonMb = Math.max(daemonMb, residentMb(home.pid))
    await Promise.race([sleep(50), ended])
  }
  const seconds = (performance.now() - begun) / 1000
  await home.end()
  return { acts: ACTS, exitCode: command.exitCode ?? 1, seconds, commandMb, daemonMb, noteMs }
}

/** In one transaction: each by itself would wait for the disk. */
function fill({ folders }: Home): void {
  openStore(folders.database).store.close()
  const db = new DatabaseSync(folders.database)
  const insert = db.prepare(
    `INSERT INTO acts (id, at, session, what, who, place, words, shown, digest, previous, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  db.exec('BEGIN')
  let previous = GENESIS
  for (let id = 1; id <= ACTS; id++) {
    const by = { session: `s-${id % 50}`, what: 'answer', who: 'its user', where: 'cli' }
    const about = { words: 'allowed Bash', shown: '{"input":{"command":"ls"}}', digest: 'd' }
    const act = { id, at: id, ...by, ...about, previous }
    const hash = actHash(act)
    insert.run(...Object.values(act), hash)
    previous = hash
  }
  db.exec('COMMIT')
  db.close()
  writeHead(headFileOf(folders), { act: ACTS, hash: previous })
}

function noteTime({ folders }: Home): number {
  const { store } = openStore(folders.database)
  const by = { session: 's', what: 'answer', who: 'its user', where: 'cli', words: 'allowed' }
  const times = Array.from({ length: 50 }, () => {
    const begun = performance.now()
    writeHead(headFileOf(folders), store.acts.note({ at: Date.now(), ...by }))
    return performance.now() - begun
  })
  store.close()
  return median(times)
}

function residentMb(pid: number | undefined): number {
  try {
    const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kb ?? 0) / 1024
  } catch {
    return 0
  }
}
