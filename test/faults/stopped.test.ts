import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DaemonHome, silentSubscriber, turn, until } from '../support/daemon.ts'

let home: DaemonHome
beforeEach(() => {
  home = new DaemonHome()
})
afterEach(() => home.end())

const STOPPED_MS = 8_000

it('[M1] stopped for 8 s under load: nothing is lost, no session is called closed', async () => {
  const clients = Array.from({ length: 4 }, () => spawn('sleep', ['600']))
  try {
    const daemon = await home.start()
    const watching = home.spawn(['watch', '--json'])
    let written = 0
    const write = () => {
      const which = written % 4
      home.write(turn(`s${which}`, written), { claudePid: clients[which]?.pid ?? 0 })
      written += 1
    }
    const writing = setInterval(write, 20)
    await until('it is under way', async () => (await home.states()).length === 4)
    daemon.signal('SIGSTOP')
    const before = written
    await sleep(STOPPED_MS)
    const [ended] = clients
    ended?.kill('SIGKILL')
    expect(written).toBeGreaterThan(before + 50)
    daemon.signal('SIGCONT')
    await until('the dead one is closed', async () => (await home.states())[0] === 'own-s0 closed')
    clearInterval(writing)
    await home.taken()
    // Two scans of the processes: long enough to call a session dead by mistake.
    await sleep(3_000)
    const working = ['own-s1 working', 'own-s2 working', 'own-s3 working']
    expect(await home.states()).toEqual([expect.stringMatching(/^own-s0 /), ...working])
    expect(home.nonces().size).toBe(written)
    const { stdout } = await watching.kill('SIGTERM')
    const wrong = stdout
      .split('\n')
      .filter((line) => /"session":"own-s[123]"/.test(line))
      .filter((line) => /"state":"(stuck|closed)"/.test(line))
    expect(wrong).toEqual([])
  } finally {
    for (const client of clients) {
      if (client.exitCode !== null || client.signalCode !== null) continue
      client.kill('SIGKILL')
      await once(client, 'exit')
    }
  }
})

const CHANGES = 5_000
/** Thousands of changes take a busy machine long. */
const PATIENCE_MS = 120_000
/** Each of them reads nothing: queued for all, the changes would take some 150 MB. */
const STALLED = 50
const GROWTH_MAX_BYTES = 110 * 1024 * 1024

it('[P4][P6] watchers that stop reading affect no other, and resume where they were', async () => {
  const daemon = await home.start()
  const [idle, busy] = [home.spawn(['watch', '--json']), home.spawn(['watch', '--json'])]
  const stalled = Array.from({ length: STALLED }, () => silentSubscriber(home.folders))
  const all = STALLED + 2
  await until('all listen', async () => (await home.client.health()).subscribers === all)
  idle.signal('SIGSTOP')
  const bytesBefore = daemon.memoryBytes()
  for (let index = 0; index < CHANGES; index++) {
    const event = Math.floor(index / 10) % 2 === 0 ? 'UserPromptSubmit' : 'Stop'
    const prompt_id = `p${Math.floor(index / 20)}`
    home.write({ ...turn(`s${index % 10}`, index, event), prompt_id })
  }
  await home.taken()
  await until(
    'the reader has all changes',
    () => ownLines(busy.stdout).length >= CHANGES,
    PATIENCE_MS,
  )
  expect(daemon.memoryBytes() - bytesBefore).toBeLessThan(GROWTH_MAX_BYTES)
  expect(ownLines(idle.stdout).length).toBeLessThan(CHANGES)
  idle.signal('SIGCONT')
  await until(
    'it has caught up',
    () => {
      return ownLines(idle.stdout).length >= ownLines(busy.stdout).length
    },
    PATIENCE_MS,
  )
  expect(ownLines(idle.stdout)).toEqual(ownLines(busy.stdout))
  for (const socket of stalled) socket.destroy()
})

function ownLines(text: string): string[] {
  return text.split('\n').filter((line) => line.includes('"own-'))
}
