import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serverFolder } from '../../src/daemon/fleet/host.ts'
import { until } from '../support/daemon.ts'
import { describeUnless } from '../support/needs.ts'
import { ms, NetworkFleet, type NetworkMachine, NO_FLEETS, tell } from './networked.ts'

const BACK_MAX_MS = 2_000
const KILLS = 3
const SESSIONS = 8

describeUnless(NO_FLEETS)('a server that fails', () => {
  let fleet: NetworkFleet
  let desk: NetworkMachine
  let laptop: NetworkMachine
  let cloud: NetworkMachine

  beforeAll(async () => {
    fleet = new NetworkFleet()
    const machines = await fleet.found('desk', 'laptop', 'cloud')
    ;[desk, laptop, cloud] = machines as [NetworkMachine, NetworkMachine, NetworkMachine]
  })
  afterAll(() => fleet?.end())

  const agree = (maxMs?: number) => fleet.machines.agree([desk, laptop, cloud], maxMs)
  const store = () => join(serverFolder(desk.home.folders.data), 'store')
  const connected = async () => {
    const views = await Promise.all([desk, laptop, cloud].map(({ client }) => client.fleet()))
    return views.every(({ server }) => server?.connected)
  }

  it('[FL50] [FL66] killed under load and started again: the view is the sum', async () => {
    let isOver = false
    let reports = 0
    const load = [desk, laptop, cloud].map(async (machine) => {
      for (let n = 0; !isOver; n++) {
        const name = `load${n % SESSIONS}`
        await (n % 5 === 4 ? machine.ends(name) : machine.works(name, n))
        reports += 1
      }
    })
    const begun = performance.now()
    for (let n = 0; n < KILLS; n++) {
      await sleep(700)
      process.kill(serverPid(desk), 'SIGKILL')
      await until('the loss is noticed', async () => !(await connected()))
      await until('it is back', connected)
    }
    isOver = true
    await Promise.all(load)
    const overAt = performance.now()
    await agree(BACK_MAX_MS)
    const each = Math.round((reports * 1_000) / (overAt - begun))
    tell(`${each} reports a second, ${KILLS} kills, equal ${ms(performance.now() - overAt)} after`)
  })

  it('[FL42] [FL50] [FL64] a server that lost all it had gets it again', async () => {
    await desk.daemon?.kill('SIGTERM')
    await until('it is gone', async () => !(await laptop.client.fleet()).server?.connected)
    rmSync(store(), { recursive: true })
    for (const machine of [laptop, cloud]) {
      await machine.works('while-it-was-gone')
      await machine.ends('load1')
    }
    expect((await laptop.rowsOf(cloud)).length).toBe(SESSIONS)
    await desk.start()
    await until('all are connected', connected)
    const connectedAt = performance.now()
    await agree(BACK_MAX_MS)
    tell(`equal ${ms(performance.now() - connectedAt)} after all were connected to an empty server`)
  })

  it('[FL50] server and founder killed at once: all is there again', async () => {
    const server = serverPid(desk)
    await desk.daemon?.kill('SIGKILL')
    process.kill(server, 'SIGKILL')
    await cloud.works('alone')
    await desk.start()
    await until('all are connected', connected)
    await agree(BACK_MAX_MS)
  })
})

function serverPid({ home }: NetworkMachine): number {
  const file = join(serverFolder(home.folders.data), 'nats-server.conf.pid')
  return Number.parseInt(readFileSync(file, 'utf8'), 10)
}
