import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DaemonHome, silentSubscriber, turn, until } from '../support/daemon.ts'

let home: DaemonHome
beforeEach(() => {
  home = new DaemonHome()
})
afterEach(() => home.end())

/** What a user waits for without wondering, where Node starts in a tenth of a second. */
const END_MAX_MS = 2_000
const NODE_MS = 100

/** How much slower this machine is at the moment: other tests run on it. */
function slowness(): number {
  const begun = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  return Math.max(1, (performance.now() - begun) / NODE_MS)
}

it('[K13] SIGTERM ends it within two seconds, with listeners and waiting reports', async () => {
  const daemon = await home.start()
  const watchers = [home.spawn(['watch', '--json']), home.spawn(['watch'])]
  // A reader that reads nothing, and a request that never ends.
  silentSubscriber(home.folders)
  const half = connect(home.folders.socket, () => half.write('POST /v1/reports HTTP/1.1\r\n'))
  half.on('error', () => {})
  await until('all listen', async () => (await home.client.health()).subscribers === 3)
  const count = 12_000
  const before = slowness()
  daemon.signal('SIGSTOP')
  for (let index = 0; index < count; index++) home.write(turn(`s${index % 40}`, index))
  daemon.signal('SIGCONT')
  await until('some are taken', () => home.waiting().length < count)
  expect(home.waiting().length).toBeGreaterThan(1_000)
  const begun = performance.now()
  const { code } = await daemon.kill('SIGTERM')
  const tookMs = performance.now() - begun
  // Those that watch start another one, but not before it was looked at what this one left.
  for (const watcher of watchers) watcher.signal('SIGSTOP')
  expect(code).toBe(0)
  expect(tookMs).toBeLessThan(END_MAX_MS * Math.max(before, slowness()))
  for (const name of ['vigil.sock', 'daemon.json', 'daemon.pid', 'starting'])
    expect([name, existsSync(join(home.folders.run, name))]).toEqual([name, false])
  expect(existsSync(`${home.folders.database}-wal`)).toBe(false)

  // What is not in the log is still in the spool; the next daemon takes it, and nothing twice.
  const left = home.waiting().length
  expect(home.nonces().size + left).toBe(count)
  for (const watcher of watchers) watcher.signal('SIGCONT')
  await home.start().catch((error: Error) => {
    if (!error.message.includes('a daemon is running already')) throw error
  })
  await home.taken()
  const nonces = home.nonces()
  expect(nonces.size).toBe(count)
  expect([...nonces.values()].filter((times) => times !== 1)).toEqual([])
  for (const watcher of watchers) expect(watcher.isOver).toBe(false)
})

it('[K13] SIGTERM while it starts ends it as well', async () => {
  for (let index = 0; index < 500; index++) home.write(turn(`s${index % 40}`, index))
  for (const afterMs of [0, 150, 300, 450, 600]) {
    const daemon = home.spawn(['daemon', '--quiet'])
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    const { stderr } = await daemon.kill('SIGTERM')
    expect(stderr).toBe('')
    for (const name of ['vigil.sock', 'daemon.json', 'daemon.pid'])
      expect([name, existsSync(join(home.folders.run, name))]).toEqual([name, false])
  }
  await home.start()
  await home.taken()
  expect(home.nonces().size).toBe(500)
})
