import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { natsServerOf } from '../../tools/fleet/servers.ts'
import { Running, until } from '../support/daemon.ts'
import { describeUnless } from '../support/needs.ts'
import type { Link } from './network.ts'
import { FLEET_VERSION, NetworkFleet, type NetworkMachine, NO_FLEETS } from './networked.ts'

const SET_BUCKET = fileURLToPath(new URL('set-bucket.ts', import.meta.url))
const SMALL = 20_000
const SESSIONS = 30

describeUnless(NO_FLEETS)('a server of the user’s own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-own-server-'))
  let fleet: NetworkFleet
  let hub: Link
  let server: Running
  let desk: NetworkMachine
  let laptop: NetworkMachine
  let url = ''

  beforeAll(async () => {
    fleet = new NetworkFleet()
    hub = fleet.network.add('hub')
    url = `nats://${hub.address}:4222`
    const config = join(folder, 'server.conf')
    const text = `listen: "${hub.address}:4222"\njetstream { store_dir: "${folder}/store" }\n`
    writeFileSync(config, text)
    const [program = '', ...args] = [...hub.enter, natsServerOf(FLEET_VERSION) ?? '', '-c', config]
    server = new Running(spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] }))
    await until('it runs', () => server.stderr.includes('Server is ready'))
    ;[desk, laptop] = await Promise.all([fleet.start('desk'), fleet.start('laptop')])
    await desk.vigil('fleet', 'join', '--server', url)
    await laptop.joins(desk)
  })
  afterAll(async () => {
    await server?.kill('SIGTERM')
    await fleet?.end()
    rmSync(folder, { recursive: true, force: true })
  })

  const setBucket = (bytes: number) => {
    const [program = '', ...args] = [...hub.enter, process.execPath, SET_BUCKET, url, `${bytes}`]
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  }
  const agree = (maxMs?: number) => fleet.machines.agree([desk, laptop], maxMs)

  it('[FL37] [FL63] full storage is said, and room is used at once', async () => {
    await laptop.works('first')
    await agree()
    setBucket(SMALL)
    for (let n = 0; n < SESSIONS; n++) await laptop.works(`more${n}`)
    const told = async () => /storage is full: \d+ rows/.test(await laptop.vigil('fleet'))
    await until('it says so', told, 12_000)
    expect((await laptop.own()).length).toBe(SESSIONS + 1)
    expect((await desk.rowsOf(laptop)).length).toBeLessThan(SESSIONS)
    expect(await desk.works('here')).toBeDefined()
    setBucket(SMALL * 100)
    const begun = performance.now()
    await agree(2_000)
    const quiet = async () => !/storage is full/.test(await laptop.troubles())
    await until('it says so no more', quiet, 6_000)
    expect(performance.now() - begun).toBeLessThan(8_000)
  })

  it('[FL71] two fleets on one server do not see each other', async () => {
    const other = await fleet.start('other')
    await other.vigil('fleet', 'join', '--server', url)
    await other.works('mine')
    await laptop.works('ours')
    await agree()
    const { machines } = await other.client.fleet()
    expect(machines.map(({ id }) => id)).toEqual([other.id])
    expect((await other.rows()).every(({ own }) => own)).toBe(true)
    expect((await desk.client.fleet()).machines).toHaveLength(2)
    expect(await desk.rowsOf(other)).toEqual([])
  })
})
