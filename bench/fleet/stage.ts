import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { foundedState } from '../../src/daemon/fleet/founding.ts'
import { Membership } from '../../src/daemon/fleet/membership.ts'
import { type MachineKeys, newMachineKeys } from '../../src/fleet/keys.ts'
import { type ServerConfig, serverConfigText } from '../../src/fleet/nats/server-config.ts'
import { sealRoster, withMember } from '../../src/fleet/roster.ts'
import { type FleetState, writeFleetState } from '../../src/fleet/state.ts'
import type { Folders } from '../../src/home/folders.ts'
import { ownMachine } from '../../src/home/machine.ts'
import { freePort } from '../../test/support/nats.ts'
import { fetchNatsServer } from '../../tools/fleet/servers.ts'

const VERSION = '2.15.1'
const START_MAX_MS = 20_000

/** A fleet as the founder's machine writes it, and a real server that lists its machines. */
export class FleetStage {
  readonly #folder = mkdtempSync(join(tmpdir(), 'vigil-fleet-'))
  readonly #machines: readonly string[]
  readonly #keys = new Map<string, MachineKeys>()
  readonly #port: number
  readonly #monitorPort: number
  readonly #founder: FleetState
  #server: ChildProcess | undefined

  private constructor(machines: readonly string[], port: number, monitorPort: number) {
    this.#machines = machines
    this.#port = port
    this.#monitorPort = monitorPort
    const [machine = ''] = machines
    const urls = [`nats://127.0.0.1:${port}`]
    const none = { ca: null, creds: null, serve: null, allowOldServer: false }
    const alone = foundedState({ machine, name: 'machine', now: Date.now(), urls, ...none })
    this.#keys.set(machine, alone.keys)
    this.#founder = { ...alone, roster: this.#rosterOf(alone) }
  }

  /** The first machine founds the fleet. */
  static async start(machines: readonly string[]): Promise<FleetStage> {
    const stage = new FleetStage(machines, await freePort(), await freePort())
    await stage.#serve(await fetchNatsServer(VERSION))
    return stage
  }

  /** What the daemon of a machine finds at its start. */
  write(folders: Pick<Folders, 'data'>, machine: string): void {
    writeFleetState(folders, this.stateOf(machine))
  }

  stateOf(machine: string): FleetState {
    const keys = this.#keys.get(machine)
    if (!keys) throw new Error(`no machine of this fleet: ${machine}`)
    const isFounder = machine === this.#founder.machine
    return { ...this.#founder, machine, keys, isFounder }
  }

  keysOf(machine: string): MachineKeys {
    return this.stateOf(machine).keys
  }

  get serverPid(): number {
    return this.#server?.pid ?? 0
  }

  /** How many messages each machine has sent to the server, by its key there. */
  async sent(): Promise<ReadonlyMap<string, number>> {
    const address = `http://127.0.0.1:${this.#monitorPort}/connz?auth=1&limit=4096`
    const { connections } = (await (await fetch(address)).json()) as Connections
    return new Map(connections.map((one) => [one.nkey ?? one.authorized_user ?? '', one.in_msgs]))
  }

  async end(): Promise<void> {
    const server = this.#server
    if (server && server.exitCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #rosterOf(alone: FleetState): string {
    const now = Date.now()
    const founder = new Membership(alone, { write: () => {} }, () => now)
    let { roster } = founder
    for (const machine of this.#machines.slice(1)) {
      const keys = newMachineKeys()
      this.#keys.set(machine, keys)
      const { signPublic: signKey, boxPublic: boxKey } = keys
      const member = { machine, name: 'machine', signKey, boxKey, joinedAt: now }
      roster = withMember(roster, founder.groupKey, member)
    }
    return sealRoster(roster, alone.keys, now).toString('base64url')
  }

  async #serve(program: string): Promise<void> {
    const users = this.#machines.map((machine) => {
      return { machine, nkey: this.keysOf(machine).signPublic }
    })
    const [founder, ...members] = users
    if (!founder) throw new Error('a fleet has at least one machine')
    const config: ServerConfig = {
      ...{ host: '127.0.0.1', port: this.#port, name: 'bench', founder, members, invites: [] },
      storeFolder: join(this.#folder, 'store'),
      fleet: this.#founder.fleet,
    }
    const file = join(this.#folder, 'nats-server.conf')
    // One connection serves for all machines, as the founder's.
    const text = serverConfigText(config)
      .replace(`"vigil.${config.fleet}.call.${founder.machine}"`, `"vigil.${config.fleet}.>"`)
      .replace(`"vigil.${config.fleet}.call.*"`, `"vigil.${config.fleet}.>"`)
    const monitor = `http: "127.0.0.1:${this.#monitorPort}"\n`
    writeFileSync(file, text + monitor, { mode: 0o600 })
    this.#server = spawn(program, ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    this.#server.stderr?.setEncoding('utf8').on('data', (chunk) => {
      said = (said + chunk).slice(-4_000)
    })
    for (const giveUpAt = Date.now() + START_MAX_MS; !said.includes('Server is ready'); ) {
      if (Date.now() > giveUpAt) throw new Error(`nats-server did not start: ${said}`)
      await sleep(20)
    }
  }
}

interface Connections {
  readonly connections: readonly {
    readonly nkey?: string
    readonly authorized_user?: string
    readonly in_msgs: number
  }[]
}

/** The id that the daemon of this home will have. */
export function machineOf(folders: Pick<Folders, 'data'>): string {
  return ownMachine(folders).id
}
