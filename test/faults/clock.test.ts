import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DaemonHome, type Running, turn, until } from '../support/daemon.ts'

const HOUR_MS = 3_600_000
const YEAR_MS = 365 * 24 * HOUR_MS

let home: DaemonHome
let daemon: Running
let clients: Readonly<Record<string, ReturnType<typeof spawn>>>
let offsetMs: number

beforeEach(async () => {
  home = new DaemonHome()
  home.env.NODE_OPTIONS = `--import ${fileURLToPath(new URL('./set-clock.ts', import.meta.url))}`
  home.env.VIGIL_TEST_CLOCK = join(home.path, 'clock')
  clients = { busy: spawn('sleep', ['600']), done: spawn('sleep', ['600']) }
  offsetMs = 0
  daemon = await home.start()
  report('busy', 'UserPromptSubmit')
  report('done', 'UserPromptSubmit')
  report('done', 'Stop')
  report('bare', 'UserPromptSubmit')
  await home.taken()
  expect(await home.states()).toEqual(BEFORE)
})
afterEach(async () => {
  for (const client of Object.values(clients)) {
    client.kill('SIGKILL')
    await once(client, 'exit')
  }
  await home.end()
})

const BEFORE = ['own-bare working', 'own-busy working', 'own-done idle']
let nonce = 0

/** A hook of a machine whose clock is off as much. */
function report(session: string, event: string): void {
  const pid = clients[session]?.pid
  const head: Record<string, number> = pid === undefined ? {} : { claudePid: pid }
  home.write(turn(session, nonce++, event), head, Date.now() + offsetMs)
}

function jump(byMs: number): void {
  offsetMs += byMs
  const draft = join(home.path, 'clock.draft')
  writeFileSync(draft, String(offsetMs))
  renameSync(draft, home.env.VIGIL_TEST_CLOCK ?? '')
}

it.each([
  ['back by an hour', -HOUR_MS],
  ['forward by an hour', HOUR_MS],
  ['forward by a year', YEAR_MS],
  ['back by a year', -YEAR_MS],
])('[M1][M8] a clock set %s makes no verdict wrong, and later reports count', async (_, byMs) => {
  const watching = home.spawn(['watch', '--json'])
  await until('it listens', async () => (await home.client.health()).subscribers === 1)
  jump(byMs)
  // Asked all the time, from the very moment of the jump: no look at the clock may come too late.
  const until3s = performance.now() + 3_000
  const seen = new Set<string>()
  while (performance.now() < until3s) {
    for (const state of await home.states()) seen.add(state)
    await sleep(10)
  }
  expect([...seen].toSorted()).toEqual(BEFORE)
  report('busy', 'Stop')
  report('done', 'UserPromptSubmit')
  report('bare', 'Stop')
  report('late', 'UserPromptSubmit')
  await home.taken()
  const after = ['own-bare idle', 'own-busy idle', 'own-done working', 'own-late working']
  expect(await home.states()).toEqual(after)
  expect(watching.stdout).not.toMatch(/"own-[^}]*"state":"(stuck|closed)"/)
  const { now, durable } = await home.client.health()
  expect(durable).toBe(true)
  expect(Math.abs(now - Date.now() - offsetMs)).toBeLessThan(60_000)

  // And once more the other way, which is what a clock set wrong by mistake does next.
  jump(-byMs)
  await sleep(2_500)
  expect(await home.states()).toEqual(after)
  report('late', 'Stop')
  await home.taken()
  expect((await home.states()).at(-1)).toBe('own-late idle')
  await daemon.kill()
  await home.start()
  expect(await home.states()).toEqual([...after.slice(0, 3), 'own-late idle'])
})
