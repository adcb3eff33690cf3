import { afterEach, beforeEach, expect, it } from 'vitest'
import { DaemonHome, until } from '../support/daemon.ts'
import { hookAsks, type WaitingHook } from '../support/hook-asks.ts'

let home: DaemonHome
let hook: WaitingHook
beforeEach(async () => {
  home = new DaemonHome()
  await home.start()
  hook = await hookAsks(home, 'one', 'Bash', { command: 'ls' })
})
afterEach(async () => {
  hook.end()
  await home.end()
})

const asks = async () => (await home.client.session('one'))?.asks.length === 1

it('[AN17] a hook outlives daemons that are killed, and is answered by the last', async () => {
  for (let times = 0; times < 2; times++) {
    await home.kill()
    await home.start()
    await until('it can be answered', asks)
  }
  const [request] = (await home.client.requests('one')).requests
  const { id = '', digest: shown = '' } = request ?? {}
  await home.client.answer(id, { choice: 'allow', where: 'cli', shown })
  expect(await hook.said).toContain('"behavior":"allow"')
  expect((await home.client.requests('one')).requests).toEqual([])
})

it('[AN19] a hook whose client was killed ends, also when no daemon saw it', async () => {
  await home.kill()
  hook.killClient()
  await home.start()
  expect(await hook.said).toBe('')
})
