import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PendingInvite } from '../../fleet/joining.ts'
import { selfSignedCertificate } from '../../fleet/nats/certificate.ts'
import type { ServerConfig } from '../../fleet/nats/server-config.ts'
import { findNatsServer, NatsServer } from '../../fleet/nats/server-process.ts'
import { Problem } from '../problem.ts'
import { invitePassword } from './invites.ts'
import type { Membership } from './membership.ts'

export interface HostAddress {
  readonly host: string
  readonly port: number
}

const PORT = 4222

/** `host:port`, `host`, `:port` or `[::1]:port`. */
export function listenAddress(text: string): HostAddress {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-f:.]+)\]|([\w.-]*))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const host = bracketed ?? plain
  const number = port === undefined ? PORT : Number(port)
  if (host === undefined || number < 1 || number > 65_535)
    throw new Problem(400, `listen: expected host:port, got ${JSON.stringify(text.slice(0, 60))}`)
  return { host: host === '' ? '0.0.0.0' : host, port: number }
}

/** SPEC FL143. Where the founder keeps what belongs to its server. */
export function serverFolder(data: string): string {
  return join(data, 'fleet-server')
}

/** SPEC FL143. A certificate of the server's own, or why it has none. */
export async function newCertificate(
  folder: string,
  names: readonly string[],
): Promise<{ readonly ca: string; readonly files: { cert: string; key: string } } | string> {
  const made = await selfSignedCertificate(names)
  if ('missing' in made) return made.missing
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = { cert: join(folder, 'server.crt'), key: join(folder, 'server.key') }
  writeFileSync(files.cert, made.cert, { mode: 0o600 })
  writeFileSync(files.key, made.key, { mode: 0o600 })
  return { ca: made.cert, files }
}

/** The nats-server that this machine runs for its fleet, as its state describes it. */
export class FleetServer {
  readonly #folder: string
  readonly #onExit: (said: string) => void
  #server: NatsServer | undefined
  /** Used invites: their machines still wait for the welcome. */
  readonly #lingering = new Set<PendingInvite>()
  #isClosing = false
  #againMs = AGAIN_FIRST_MS

  constructor(data: string, onExit: (said: string) => void) {
    this.#folder = serverFolder(data)
    this.#onExit = onExit
  }

  async start(membership: Membership): Promise<void> {
    const program = await findNatsServer(membership.state.allowOldServer)
    if ('missing' in program) throw new Problem(503, `${program.missing} ${OTHERWISE}`)
    const config = this.#configOf(membership)
    const server = new NatsServer(program.path, this.#folder, config)
    this.#server = server
    const startedAt = performance.now()
    const begun = server.start((said) => {
      if (this.#isClosing) return
      if (performance.now() - startedAt > GOOD_MS) this.#againMs = AGAIN_FIRST_MS
      this.#onExit(said)
      this.#again(membership)
    })
    // SPEC FL143. Its port is taken, or it refuses its configuration.
    await begun.catch((error: Error) => {
      throw new Problem(503, error.message)
    })
    // It was stopped while it started.
    if (this.#isClosing) await server.stop()
  }

  /** SPEC FL143. A server that does not start, or ended by itself, is started again later. */
  keep(membership: Membership): void {
    if (this.#isClosing) return
    this.start(membership).catch((error: Error) => {
      this.#onExit(error.message)
      this.#again(membership)
    })
  }

  /** At longer and longer intervals. */
  #again(membership: Membership): void {
    setTimeout(() => this.keep(membership), this.#againMs).unref()
    this.#againMs = Math.min(this.#againMs * 2, AGAIN_MAX_MS)
  }

  /** SPEC FL144. Members and invites as they are now; a removed machine is disconnected at once. */
  async reload(membership: Membership): Promise<void> {
    await this.#server?.reload(this.#configOf(membership))
  }

  /** The server lets an invite's machine go when its welcome has arrived. */
  linger(invite: PendingInvite, membership: Membership): void {
    this.#lingering.add(invite)
    const end = () => {
      this.#lingering.delete(invite)
      if (!this.#isClosing) this.reload(membership).catch(() => {})
    }
    setTimeout(end, LINGER_MS).unref()
  }

  async stop(): Promise<void> {
    this.#isClosing = true
    await this.#server?.stop()
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get config(): string {
    return join(this.#folder, 'nats-server.conf')
  }

  #configOf({ state, roster }: Membership): ServerConfig {
    const { host = '', port = '', cert, key } = state.serve ?? {}
    const users = roster.members.map(({ machine, signKey: nkey }) => ({ machine, nkey }))
    const founder = users.find(({ machine }) => machine === roster.founder)
    if (!founder) throw new Error('the founder is not in its own fleet')
    return {
      host,
      port: Number(port),
      name: `vigil-${state.fleet}`,
      storeFolder: join(this.#folder, 'store'),
      fleet: state.fleet,
      founder,
      members: users.filter((user) => user !== founder),
      invites: [...state.invites, ...this.#lingering].map(({ id, secret }) => ({
        id,
        password: invitePassword(secret),
      })),
      ...(cert !== undefined && key !== undefined && { tls: { cert, key } }),
    }
  }
}

const LINGER_MS = 5_000
const AGAIN_FIRST_MS = 250
const AGAIN_MAX_MS = 30_000
/** A server that ran as long was good: it is started again at once. */
const GOOD_MS = 10_000

const OTHERWISE =
  'Or use an existing server: vigil fleet join --server nats://HOST:4222 --creds FILE'
