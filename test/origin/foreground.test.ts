import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { holderOf } from '../../src/client/holder.ts'
import { builtPage } from '../support/built-page.ts'
import { DaemonHome, until } from '../support/daemon.ts'
import { isDead } from '../support/is-dead.ts'
import { signedIn, statusOf } from './support.ts'

/** As a person, or a supervisor of their own, runs it. */
let home: DaemonHome
let address: string
let key: string
beforeAll(async () => void (await builtPage()))
beforeEach(async () => {
  home = new DaemonHome()
  await home.start()
  ;({ address, key } = await signedIn(home))
  const pipe = () => join(home.folders.run, `holder-${holderOf(home.folders)?.id}`)
  await until('a holder listens', () => existsSync(pipe()))
  await home.kill()
})
afterEach(() => home.end())

const daemonPid = () => home.announced()?.pid ?? 0
const isUp = () => statusOf(key, address).then((status) => status === 200)

describe('a daemon in the foreground', () => {
  it('[OC3] keeps browsers signed in, prints its log, and ends with a signal', async () => {
    const front = home.spawn(['daemon'])
    await until('it answers', isUp)
    expect((await home.client.health()).address).toBe(address)
    await until('its log is printed', () => front.stderr.includes('"msg":"watching"'))
    expect(front.stderr).not.toMatch(/sign in again/)
    const pid = daemonPid()
    front.signal('SIGTERM')
    expect((await front.ended).code).toBe(0)
    expect(isDead(pid)).toBe(true)
    expect(home.daemons()).toEqual([])
    await home.run(['status'])
    expect(await statusOf(key, address)).toBe(200)
  })

  it('[OC3] ends when what stands in front of it is killed, and the other way round', async () => {
    const front = home.spawn(['daemon', '--quiet'])
    await until('it answers', isUp)
    const pid = daemonPid()
    await front.kill('SIGKILL')
    await until('the daemon is stopping', () => isDead(pid))
    const again = home.spawn(['daemon', '--quiet'])
    await until('it answers', isUp)
    await home.kill()
    expect((await again.ended).code).toBe(1)
    const third = home.spawn(['daemon', '--quiet', '--port', new URL(address).port])
    await until('it answers', isUp)
    expect((await home.run(['stop'])).code).toBe(0)
    expect((await third.ended).code).toBe(0)
  })

  it('[OC3] leaves its place to one that runs', async () => {
    await home.run(['status'])
    const { code, stderr } = await home.run(['daemon'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('a daemon is running already')])
    expect(await statusOf(key, address)).toBe(200)
  })

  it('[OC3] has another address only where another port was asked for', async () => {
    const front = home.spawn(['daemon', '--quiet', '--port', '0'])
    await until('it answers', () => home.announced()?.pid === front.pid)
    expect((await home.client.health()).address).not.toBe(address)
    expect(home.log()).toContain('browsers have to sign in again')
  })
})
