import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DaemonHome, OWN, until } from '../support/daemon.ts'
import { hookAsks } from '../support/hook-asks.ts'
import { describeUnless } from '../support/needs.ts'
import { ms, NetworkFleet, NetworkMachine, NO_FLEETS, tell } from './networked.ts'

/** An hour, and what keeps it from being rounded to 59 min. */
const AHEAD_MS = 3_660_000
const SLEEP_MS = 15_000
const SET_CLOCK = fileURLToPath(new URL('../faults/set-clock.ts', import.meta.url))

describeUnless(NO_FLEETS)('machines that are odd', () => {
  let fleet: NetworkFleet
  let desk: NetworkMachine
  let laptop: NetworkMachine
  let late: NetworkMachine

  beforeAll(async () => {
    fleet = new NetworkFleet()
    late = new NetworkMachine(fleet.network.add('late'))
    const { env, path } = late.home
    env.NODE_OPTIONS = `--import ${SET_CLOCK}`
    env.VIGIL_TEST_CLOCK = join(path, 'clock')
    const [one, two] = await Promise.all([fleet.start('desk'), fleet.start('laptop')])
    ;[desk, laptop] = [one, two]
    await fleet.machines.begin(late)
    await desk.begins()
    await laptop.joins(desk)
    await late.joins(desk)
  })
  afterAll(() => fleet?.end())

  const agree = (maxMs?: number) => fleet.machines.agree([desk, laptop, late], maxMs)

  it('[FL40] [FL80] the same session id on two machines is two sessions', async () => {
    await desk.works('same')
    await laptop.works('same')
    await agree()
    await laptop.ends('same')
    await agree()
    const same = (await desk.rows()).filter(({ id }) => id === `${OWN}same`)
    expect(same.map(({ own, state }) => [own, state]).toSorted()).toEqual([
      [false, 'idle'],
      [true, 'working'],
    ])
    expect(await desk.vigil('why', `laptop/${OWN}same`)).toContain('idle')
    expect(await desk.vigil('why', `desk/${OWN}same`)).toContain('working')
  })

  it('[FL19] [FL86] of two machines with one host name each has a name of its own', async () => {
    const twin = await fleet.start('laptop')
    await twin.joins(desk)
    await twin.works('twin')
    await fleet.machines.agree([desk, laptop, late, twin])
    const { machines } = await desk.client.fleet()
    expect(machines.map(({ name }) => name).toSorted()).toEqual([
      'desk',
      'laptop',
      'laptop-2',
      'late',
    ])
    await twin.vigil('fleet', 'leave')
    await until('it has left', async () => (await desk.listed(twin)) === undefined)
  })

  it('[FL45] [FL50] a machine that sleeps and wakes is right again', async () => {
    await laptop.works('asleep')
    await agree()
    laptop.daemon?.signal('SIGSTOP')
    const since = performance.now()
    await until('it is unreachable', async () => !(await desk.listed(laptop))?.online, 12_000)
    const afterMs = performance.now() - since
    await desk.works('meanwhile')
    await sleep(SLEEP_MS - afterMs)
    laptop.daemon?.signal('SIGCONT')
    const wokenAt = performance.now()
    await laptop.ends('asleep')
    await agree(2_000)
    tell(`unreachable after ${ms(afterMs)}, right ${ms(performance.now() - wokenAt)} after it woke`)
  })

  it('[FL48] [FL55] [FL142] a cloned disk: both say so, the second shares nothing', async () => {
    const link = fleet.network.add('clone')
    const home = new DaemonHome({ enter: link.enter })
    cpSync(laptop.home.path, home.path, { recursive: true, filter: (path) => !isSocket(path) })
    const clone = await fleet.machines.begin(new NetworkMachine(link, home))
    expect(clone.id).toBe(laptop.id)
    await until('the clone says so', async () => /disk was cloned/.test(await clone.troubles()))
    expect(await clone.vigil('fleet')).toContain('nothing is shared from here')
    await clone.works('cloned')
    await laptop.works('real')
    await agree()
    expect((await desk.rowsOf(laptop)).map(({ id }) => id)).not.toContain(`${OWN}cloned`)
    await until('the first says so', async () => /disk was cloned/.test(await laptop.troubles()))
  })

  it('[FL43] a machine whose clock is set forward by an hour shows right ages', async () => {
    await late.works('before')
    writeFileSync(late.home.env.VIGIL_TEST_CLOCK ?? '', String(AHEAD_MS))
    await until('its clock is ahead', async () => {
      const { now } = await late.client.health()
      return now - Date.now() > AHEAD_MS / 2
    })
    await until('it is noticed', async () => {
      const ahead = (await desk.listed(late))?.clockAheadMs ?? 0
      return Math.abs(ahead - AHEAD_MS) < 1_000
    })
    const saidAt = Date.now()
    late.home.write({ ...AFTER, nonce: 'after' }, {}, saidAt + AHEAD_MS)
    const shown = async () => (await desk.rowsOf(late)).find(({ id }) => id === `${OWN}after`)
    await until('it is shown', shown)
    expect(Math.abs(((await shown())?.since ?? 0) - saidAt)).toBeLessThan(1_000)
    expect(await desk.vigil('fleet')).toMatch(/late +online .* its clock is 1 h ahead/)
    await until('it shows right ages itself', async () => {
      const seen = (await late.rowsOf(desk)).find(({ id }) => id === `${OWN}same`)
      const own = (await desk.own()).find(({ id }) => id === `${OWN}same`)
      return Math.abs((seen?.since ?? 0) - (own?.since ?? 0) - AHEAD_MS) < 1_000
    })
    // Its hooks have the clock of this machine here, so only the call itself is shifted.
    const session = `${OWN}asks`
    const hook = await hookAsks(late.home, session, 'Bash', { command: 'npm test' })
    try {
      await until('it is asked', async () => {
        const rows = await desk.rowsOf(late)
        return rows.some(({ id, asks }) => id === session && asks.length === 1)
      })
      await desk.answers(late, session, 'allow')
      expect(await hook.said).toContain('allow')
    } finally {
      hook.end()
    }
  })
})

const AFTER = {
  session_id: `${OWN}after`,
  hook_event_name: 'UserPromptSubmit',
  cwd: '/home/ada/engine',
  prompt: 'x',
}

function isSocket(path: string): boolean {
  return /\.sock$|daemon\.json$|lock$/.test(path)
}
