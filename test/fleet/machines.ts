import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fleetFileOf } from '../../src/fleet/state.ts'
import type { Session } from '../../src/protocol/session.ts'
import { type NatsVersion, natsServerOf } from '../../tools/fleet/servers.ts'
import { DaemonHome, OWN, type Running, turn, until } from '../support/daemon.ts'
import { freePort } from '../support/nats.ts'
import { programFolder } from '../support/program-folder.ts'

/** Real daemons, each with a home of its own, that find a real nats-server by their PATH. */
export class FleetMachines {
  readonly #programs = programFolder()
  readonly #machines: FleetMachine[] = []

  constructor(version: NatsVersion) {
    copyFileSync(natsServerOf(version) ?? '', join(this.#programs, 'nats-server'))
  }

  async start(): Promise<FleetMachine> {
    return this.add(new DaemonHome())
  }

  add(home: DaemonHome): Promise<FleetMachine> {
    return this.begin(new FleetMachine(home))
  }

  async begin<M extends FleetMachine>(machine: M): Promise<M> {
    const { env } = machine.home
    env.PATH = [this.#programs, env.PATH].join(delimiter)
    this.#machines.push(machine)
    await machine.start()
    return machine
  }

  /** The view of each is the sum of what all have, row by row. */
  async agree(
    machines: readonly FleetMachine[],
    maxMs?: number,
    plain: (row: Session) => object = plainRow,
  ): Promise<void> {
    let last: unknown
    const isSo = async () => {
      const own = await Promise.all(machines.map((machine) => machine.own()))
      const sum = own.flat().toSorted(byAddress).map(plain)
      const views = await Promise.all(machines.map((machine) => machine.rows()))
      last = views.flatMap((view) => differences(view.map(plain), sum, ''))
      return views.every((view) => differences(view.map(plain), sum, '').length === 0)
    }
    await until('all machines show the same', isSo, maxMs).catch((error: Error) => {
      throw new Error(`${error.message}:\n${JSON.stringify(last)}`)
    })
  }

  async end(): Promise<void> {
    await Promise.all(this.#machines.map(({ home }) => home.end()))
    rmSync(this.#programs, { recursive: true, force: true })
  }
}

/** A machine of a fleet: its home, its daemon, its id. */
export class FleetMachine {
  readonly home: DaemonHome
  id = ''
  daemon: Running | undefined

  constructor(home: DaemonHome) {
    this.home = home
  }

  get client() {
    return this.home.client
  }

  get hasState(): boolean {
    return existsSync(fleetFileOf(this.home.folders))
  }

  async start(): Promise<void> {
    this.daemon = await this.home.start()
    this.id = (await this.client.health()).machine
  }

  async serve(): Promise<string> {
    const listen = `127.0.0.1:${await freePort()}`
    const wanted = { listen, tls: true, names: ['127.0.0.1'], allowOldServer: false }
    return (await this.client.serveFleet(wanted)).config
  }

  async line(lookOnly = false, expiresMs = 60_000): Promise<string> {
    return (await this.client.inviteToFleet({ lookOnly, expiresMs })).line
  }

  join(line: string) {
    return this.client.joinFleet({
      line,
      servers: [],
      creds: null,
      ca: null,
      allowOldServer: false,
    })
  }

  /** A session of this machine, working. */
  async works(name: string, nonce: string | number = name): Promise<string> {
    const report = { source: 'hook', payload: turn(name, nonce) } as const
    await this.client.post({ report })
    return OWN + name
  }

  async ends(name: string): Promise<void> {
    await this.client.post({ report: { source: 'hook', payload: turn(name, 'end', 'Stop') } })
  }

  /** Sessions that tests made; clients that run on this machine are found, too. */
  async rows(): Promise<readonly Session[]> {
    const { sessions } = await this.client.sessions()
    return sessions.filter(({ id }) => id.startsWith(OWN)).toSorted(byAddress)
  }

  async own(): Promise<readonly Session[]> {
    return (await this.rows()).filter(({ own }) => own)
  }

  async rowsOf({ id }: FleetMachine): Promise<readonly Session[]> {
    return (await this.rows()).filter(({ machine }) => machine === id)
  }

  /** Another machine as `vigil fleet` lists it here. */
  async listed({ id }: FleetMachine) {
    return (await this.client.fleet()).machines.find((machine) => machine.id === id)
  }

  async troubles(): Promise<string> {
    return (await this.client.fleet()).troubles.join('\n')
  }
}

const byAddress = (a: Session, b: Session) =>
  `${a.machine}/${a.id}` < `${b.machine}/${b.id}` ? -1 : 1

/** Times go through two measured clock offsets, which differ by what a message takes. */
const CLOCK_MS = 200
const IS_TIME = 1e12

/** Without what differs by who shows it: whose it is, the fleet's label, addresses of requests. */
function plainRow({ own: _, host: _host, asks, ...row }: Session): object {
  return { ...row, asks: asks.map((ask) => ask.split('/').at(-1)) }
}

/** A network may be so bad that a machine cannot be called reachable. */
export function apartFromFreshness(row: Session): object {
  return { ...plainRow(row), stale: null, live: false }
}

function differences(a: unknown, b: unknown, path: string): readonly string[] {
  const isTime = typeof a === 'number' && typeof b === 'number' && a > IS_TIME
  if (a === b || (isTime && Math.abs(a - b) <= CLOCK_MS)) return []
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return [`${path}: ${JSON.stringify(a)}, not ${JSON.stringify(b)}`]
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
  const keys = new Set([...left.keys(), ...right.keys()])
  return [...keys].flatMap((key) => differences(left.get(key), right.get(key), `${path}.${key}`))
}

/** Why a promise was refused, in the daemon's words. */
export function refusal(act: Promise<unknown>): Promise<string> {
  return act.then(
    () => 'it was not refused',
    (error: Error) => error.message,
  )
}

/** Its daemon starts with a state that the user kept. */
export async function restored(machine: FleetMachine, state: Uint8Array): Promise<void> {
  writeFileSync(fleetFileOf(machine.home.folders), state, { mode: 0o600 })
  await machine.start()
}
