import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import { openNatsTransport, startNatsTransport } from '../../src/fleet/nats/open.ts'
import type { ServerConfig, ServerInvite } from '../../src/fleet/nats/server-config.ts'
import { NatsServer } from '../../src/fleet/nats/server-process.ts'
import type { NatsOptions, NatsTransport } from '../../src/fleet/nats/transport.ts'
import { NATS_SERVERS, type NatsVersion, natsServerOf } from '../../tools/fleet/servers.ts'

export const NATS_VERSIONS: readonly NatsVersion[] = NATS_SERVERS.map(({ version }) => version)

/** Where tests may leave nothing out, a missing server fails them. */
export function noNats(version: NatsVersion): string | undefined {
  if (process.env.CI_CLIENTS === '1' || natsServerOf(version) !== undefined) return undefined
  return `no nats-server ${version}: npm run fleet:server`
}

export const FLEET = '00112233aabbccdd'

interface Key {
  readonly seed: Uint8Array
  readonly nkey: string
}

/** A real server with a fleet of machines, each with its own key; `alpha` founded it. */
export class NatsFleet {
  readonly #folder = mkdtempSync(join(tmpdir(), 'vigil-nats-'))
  readonly #keys = new Map<string, Key>()
  readonly #open: NatsTransport[] = []
  readonly #version: NatsVersion
  #config: ServerConfig
  server: NatsServer

  private constructor(version: NatsVersion, port: number, machines: readonly string[]) {
    this.#version = version
    for (const machine of machines) {
      const pair = nkeys.createUser()
      this.#keys.set(machine, { seed: pair.getSeed(), nkey: pair.getPublicKey() })
    }
    const [founder = '', ...members] = machines
    const user = (machine: string) => ({ machine, nkey: this.#keys.get(machine)?.nkey ?? '' })
    this.#config = {
      host: '127.0.0.1',
      port,
      name: 'test',
      storeFolder: join(this.#folder, 'store'),
      fleet: FLEET,
      founder: user(founder),
      members: members.map(user),
      invites: [],
    }
    this.server = this.#newServer()
  }

  static async start(
    version: NatsVersion,
    machines: readonly string[] = ['alpha', 'beta', 'gamma'],
    change: Partial<ServerConfig> = {},
  ): Promise<NatsFleet> {
    const fleet = new NatsFleet(version, await freePort(), machines)
    fleet.#config = { ...fleet.#config, ...change }
    fleet.server = fleet.#newServer()
    await fleet.server.start()
    return fleet
  }

  get config(): ServerConfig {
    return this.#config
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#config.port}`
  }

  optionsOf(machine: string, change: Partial<NatsOptions> = {}): NatsOptions {
    const seed = this.#keys.get(machine)?.seed ?? new Uint8Array()
    const create = machine === this.#config.founder.machine
    return { urls: [this.url], login: { seed }, fleet: FLEET, machine, create, ...change }
  }

  async open(machine: string, change: Partial<NatsOptions> = {}): Promise<NatsTransport> {
    const transport = await openNatsTransport(this.optionsOf(machine, change))
    this.#open.push(transport)
    return transport
  }

  /** Does not wait for the server. */
  begin(machine: string): NatsTransport {
    const transport = startNatsTransport(this.optionsOf(machine))
    this.#open.push(transport)
    return transport
  }

  kill(): void {
    const { pid } = this.server
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  }

  async restart(): Promise<void> {
    this.server = this.#newServer()
    await this.server.start()
  }

  forget(): void {
    rmSync(this.#config.storeFolder, { recursive: true, force: true })
  }

  async reload(change: Partial<ServerConfig>): Promise<void> {
    this.#config = { ...this.#config, ...change }
    await this.server.reload(this.#config)
  }

  invite(invite: ServerInvite): Promise<void> {
    return this.reload({ invites: [...this.#config.invites, invite] })
  }

  async end(): Promise<void> {
    for (const transport of this.#open.splice(0)) await transport.close()
    await this.server.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #newServer(): NatsServer {
    const program = natsServerOf(this.#version) ?? '/nonexistent/nats-server'
    return new NatsServer(program, join(this.#folder, 'server'), this.#config)
  }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return address !== null && typeof address === 'object' ? address.port : 0
}
