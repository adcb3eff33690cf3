import { closeSync, fstatSync, openSync, readdirSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DaemonHome, type Running, turn, until } from '../support/daemon.ts'

const PAGE_BYTES = 4_096
const COUNT = 2_000

let home: DaemonHome
let daemon: Running
beforeEach(async () => {
  home = new DaemonHome()
  daemon = await home.start()
  for (let index = 0; index < COUNT; index++) home.write(turn(`s${index % 10}`, index))
  await home.taken()
})
afterEach(() => home.end())

/** Every page of the file but those before `from` is overwritten. */
function damage(path: string, from: number): void {
  const file = openSync(path, 'r+')
  const pages = fstatSync(file).size / PAGE_BYTES
  for (let page = from; page < pages; page++)
    writeSync(file, Buffer.alloc(PAGE_BYTES - 64, 0xa5), 0, PAGE_BYTES - 64, page * PAGE_BYTES + 32)
  closeSync(file)
}

const asides = (kind: string) => readdirSync(home.path).filter((name) => name.includes(`.${kind}-`))

it('[D5] a log damaged between two daemons is set aside, said, and watching goes on', async () => {
  await daemon.kill('SIGTERM')
  damage(home.folders.database, 30)
  await home.start()
  const { troubles, durable } = await home.client.health()
  expect(troubles.join()).toMatch(/is damaged .*set aside as .*corrupt-/)
  expect(durable).toBe(true)
  expect(home.log()).toContain('set aside as')
  expect(asides('corrupt')).not.toEqual([])
  home.write(turn('after', 'after'))
  await home.taken()
  expect(home.nonces().get('after')).toBe(1)
  expect((await home.run(['doctor'])).stdout).toMatch(/set aside/)
})

it('[D5][D6] a newer vigil’s log is set aside, said, and what it holds is kept', async () => {
  await daemon.kill('SIGTERM')
  const database = new DatabaseSync(home.folders.database)
  database.exec('PRAGMA user_version = 99')
  database.close()
  await home.start()
  expect((await home.client.health()).troubles.join()).toMatch(/newer vigil \(schema 99/)
  expect(home.log()).toContain('newer vigil')
  expect(asides('newer')).not.toEqual([])
  expect(await home.states()).toHaveLength(10)
  expect(home.nonces().size).toBe(COUNT)
})

it('[K16] a log damaged while it runs is said and rebuilt; no report is lost', async () => {
  // So that all pages are in the file itself, and not in the log beside it.
  await daemon.kill('SIGTERM')
  daemon = await home.start()
  damage(home.folders.database, 1)
  // A change by another connection: what the daemon remembers of the file no longer counts.
  const other = new DatabaseSync(home.folders.database)
  other.exec('PRAGMA user_version = 1')
  other.close()
  const written = 3_000
  for (let index = 0; index < written; index++) home.write(turn(`t${index % 50}`, `late${index}`))
  await until('it is said', async () => daemon.isOver || isTroubled())
  await sleep(3_000)
  // Whichever daemon runs by then: one command is enough, and it holds every late report.
  expect((await home.run(['status'])).code).toBe(0)
  await home.taken()
  const nonces = home.nonces()
  const lost = Array.from({ length: written }, (_, n) => `late${n}`).filter((n) => !nonces.has(n))
  expect(lost).toEqual([])
  expect([...nonces.values()].filter((times) => times !== 1)).toEqual([])
  expect(home.log()).toMatch(/malformed|damaged/)
  expect(asides('corrupt')).not.toEqual([])
  expect((await home.client.health()).durable).toBe(true)
  // It did not end and start over and over.
  expect(home.log().split('"watching"').length).toBeLessThanOrEqual(4)
})

async function isTroubled(): Promise<boolean> {
  const { troubles, durable } = await home.client.health()
  return troubles.length > 0 || !durable
}
