import type { NatsVersion } from '../../tools/fleet/servers.ts'
import { DaemonHome, type Ended } from '../support/daemon.ts'
import { noNats } from '../support/nats.ts'
import { FleetMachine, FleetMachines } from './machines.ts'
import { type Link, NO_NETWORKS, TestNetwork } from './network.ts'

export const FLEET_VERSION: NatsVersion = '2.15.1'

/** What this machine lacks for fleets over a network. */
export const NO_FLEETS = NO_NETWORKS ?? noNats(FLEET_VERSION)

const PORT = 4222

/** Machines with networks of their own, joined by a bridge. */
export class NetworkFleet {
  readonly network = new TestNetwork()
  readonly machines = new FleetMachines(FLEET_VERSION)

  /** A fleet of these; the first runs the server. All is done by commands, with TLS. */
  async found(...hosts: readonly string[]): Promise<readonly NetworkMachine[]> {
    const machines = await Promise.all(hosts.map((host) => this.start(host)))
    const [founder, ...others] = machines
    if (!founder) return machines
    await founder.begins()
    for (const other of others) await other.joins(founder)
    return machines
  }

  start(host: string): Promise<NetworkMachine> {
    return this.machines.begin(new NetworkMachine(this.network.add(host)))
  }

  async end(): Promise<void> {
    await this.machines.end()
    this.network.end()
  }
}

export class NetworkMachine extends FleetMachine {
  readonly link: Link

  constructor(link: Link, home = new DaemonHome({ enter: link.enter })) {
    super(home)
    this.link = link
  }

  /** By the command that its user types. */
  async vigil(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.tries(...args)
    if (code === 0) return stdout
    throw new Error(`vigil ${args.join(' ')}: exit ${code}\n${stdout}${stderr}`)
  }

  tries(...args: readonly string[]): Promise<Ended> {
    return this.home.run(args)
  }

  /** As a user who has read the only request of that machine. */
  async answers(other: NetworkMachine, session: string, ...answer: readonly string[]) {
    const listed = JSON.parse(await this.vigil('answer', '--json'))
    const asked = listed as { readonly id: string; readonly code: string }[]
    const { code = '' } = asked.find(({ id }) => id.startsWith(`${other.id}/`)) ?? {}
    const address = `${other.link.host}/${session}`
    return this.vigil('answer', address, ...answer, '--request', code)
  }

  begins(...options: readonly string[]): Promise<string> {
    return this.vigil('fleet', 'serve', '--listen', `${this.link.address}:${PORT}`, ...options)
  }

  async joins(founder: NetworkMachine): Promise<string> {
    const [, line = ''] =
      /vigil fleet join '(.+)'/.exec(await founder.vigil('fleet', 'invite')) ?? []
    return this.vigil('fleet', 'join', line)
  }
}

export function ms(value: number): string {
  return `${Math.round(value)} ms`
}

/** Figures for those who read the run. */
export function tell(line: string): void {
  process.stdout.write(`      ${line}\n`)
}
