import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { DaemonHome, until } from '../support/daemon.ts'
import { NATS_VERSIONS, noNats } from '../support/nats.ts'
import { itUnless } from '../support/needs.ts'
import { type FleetMachine, FleetMachines } from './machines.ts'

const VERSION = NATS_VERSIONS.at(-1) ?? '2.15.1'

/** Every module that a daemon loads is a line of a file. */
const LISTER = `
  import { appendFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  const load = (url, context, next) => {
    appendFileSync(process.env.LOADED, url + '\\n')
    return next(url, context)
  }
  registerHooks({ load })`

let machines: FleetMachines
let one: FleetMachine

beforeAll(async () => {
  if (noNats(VERSION) !== undefined) return
  machines = new FleetMachines(VERSION)
  const home = new DaemonHome()
  writeFileSync(join(home.path, 'lister.mjs'), LISTER)
  home.env.LOADED = join(home.path, 'loaded')
  home.env.NODE_OPTIONS = `--import=${join(home.path, 'lister.mjs')}`
  one = await machines.add(home)
})

afterAll(() => machines?.end())

itUnless(noNats(VERSION))(
  '[FL148] a daemon in no fleet loads and opens nothing of it',
  async () => {
    await one.works('a')
    expect((await one.client.fleet()).fleet).toBeNull()
    expect(ofNats()).toEqual([])
    expect(outbound(one.daemon?.pid ?? 0)).toEqual([])
    await one.serve()
    await until('it is connected', () => outbound(one.daemon?.pid ?? 0).length === 1)
    expect(ofNats().length).toBeGreaterThan(0)
  },
)

function ofNats(): readonly string[] {
  const loaded = readFileSync(one.home.env.LOADED ?? '', 'utf8').split('\n')
  return loaded.filter((url) => url.includes('@nats-io') || url.includes('fleet/nats/open'))
}

/** TCP connections of a process, by the address of the other side. */
function outbound(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`
  const sockets = new Set(readdirSync(folder).map((fd) => linkOf(join(folder, fd))))
  return ['tcp', 'tcp6'].flatMap((kind) => {
    const lines = readFileSync(`/proc/${pid}/net/${kind}`, 'utf8').trim().split('\n').slice(1)
    const rows = lines.map((line) => line.trim().split(/\s+/))
    const open = rows.filter((row) => row[3] === '01' && sockets.has(`socket:[${row[9]}]`))
    return open.map((row) => row[2] ?? '')
  })
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
