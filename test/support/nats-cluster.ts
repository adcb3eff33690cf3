import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import type { Permissions } from '../../src/fleet/nats/server-permissions.ts'
import { type NatsVersion, natsServerOf } from '../../tools/fleet/servers.ts'
import { until } from './daemon.ts'
import { freePort } from './nats.ts'

type KeyPair = ReturnType<typeof nkeys.createUser>

/** Three servers of somebody else's, with accounts and credentials files; vigil set up none. */
export class NatsCluster {
  readonly folder = mkdtempSync(join(tmpdir(), 'vigil-cluster-'))
  readonly urls: string[] = []
  readonly #servers: ChildProcess[] = []
  readonly #operator = nkeys.createOperator()
  readonly #system = nkeys.createAccount()
  readonly #accounts = { fleet: nkeys.createAccount(), plain: nkeys.createAccount() }

  static async start(version: NatsVersion): Promise<NatsCluster> {
    const cluster = new NatsCluster()
    const ports = await Promise.all([1, 2, 3].map(async () => [await freePort(), await freePort()]))
    const routes = ports.map(([, route]) => `nats://127.0.0.1:${route}`)
    for (const [at, [port = 0, route = 0]] of ports.entries()) {
      cluster.urls.push(`nats://127.0.0.1:${port}`)
      const folder = join(cluster.folder, `n${at}`)
      mkdirSync(folder)
      const file = join(folder, 'server.conf')
      writeFileSync(file, cluster.#config({ at, folder, port, route, routes }))
      const server = spawn(natsServerOf(version) ?? '', ['-c', file], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      cluster.#servers.push(server)
    }
    try {
      await Promise.all(cluster.#servers.map(isReady))
      return cluster
    } catch (error) {
      await cluster.end()
      throw error
    }
  }

  /** A credentials file; without permissions the user may do everything in the account. */
  creds(name: string, permissions?: Permissions, account: 'fleet' | 'plain' = 'fleet'): string {
    const user = nkeys.createUser()
    const limits = { subs: -1, data: -1, payload: -1 }
    const rights = permissions && {
      pub: { allow: permissions.publish },
      sub: { allow: permissions.subscribe },
    }
    const claims = { ...limits, ...rights, type: 'user', version: 2 }
    const jwt = jwtOf(user, name, this.#accounts[account], claims)
    const seed = new TextDecoder().decode(user.getSeed())
    const file = join(this.folder, `${name}.creds`)
    writeFileSync(file, `${block('NATS USER JWT', jwt)}\n${block('USER NKEY SEED', seed)}`)
    return file
  }

  /** The server of this address ends without a word. */
  async kill(url: string): Promise<void> {
    const server = this.#servers[this.urls.indexOf(url)]
    const ended = new Promise((resolve) => server?.once('exit', resolve))
    server?.kill('SIGKILL')
    await ended
  }

  async end(): Promise<void> {
    for (const server of this.#servers) server.kill('SIGKILL')
    await until('all servers have ended', () =>
      this.#servers.every(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null),
    )
    rmSync(this.folder, { recursive: true, force: true })
  }

  #config(of: { at: number; folder: string; port: number; route: number; routes: string[] }) {
    const { fleet, plain } = this.#accounts
    const operator = { type: 'operator', version: 2 }
    const routes = JSON.stringify(of.routes)
    const jetstream = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 }
    const jwts = [
      [this.#system, this.#accountJwt(this.#system, 'SYS', {})],
      [fleet, this.#accountJwt(fleet, 'FLEET', jetstream)],
      [plain, this.#accountJwt(plain, 'PLAIN', {})],
    ] as const
    return [
      `server_name: n${of.at}`,
      `listen: "127.0.0.1:${of.port}"`,
      `jetstream { store_dir: ${JSON.stringify(join(of.folder, 'store'))} }`,
      `cluster { name: test, listen: "127.0.0.1:${of.route}", routes: ${routes} }`,
      `operator: ${jwtOf(this.#operator, 'test', this.#operator, operator)}`,
      `system_account: ${this.#system.getPublicKey()}`,
      'resolver: MEMORY',
      'resolver_preload: {',
      ...jwts.map(([pair, jwt]) => `  ${pair.getPublicKey()}: ${jwt}`),
      '}',
    ].join('\n')
  }

  #accountJwt(pair: KeyPair, name: string, jetstream: object): string {
    const limits = { subs: -1, data: -1, payload: -1, conn: -1, leaf: -1, imports: -1, exports: -1 }
    const claims = { limits: { ...limits, wildcards: true, ...jetstream } }
    return jwtOf(pair, name, this.#operator, { ...claims, type: 'account', version: 2 })
  }
}

/** What NATS signs: the claims of one key, by another. */
function jwtOf(subject: KeyPair, name: string, issuer: KeyPair, nats: object): string {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = encoded({ typ: 'JWT', alg: 'ed25519-nkey' })
  const claims = {
    ...{ iat: Math.floor(Date.now() / 1_000), iss: issuer.getPublicKey(), name },
    ...{ sub: subject.getPublicKey(), nats },
  }
  const jti = createHash('sha256').update(JSON.stringify(claims)).digest('hex')
  const signed = `${head}.${encoded({ ...claims, jti })}`
  const signature = issuer.sign(new TextEncoder().encode(signed))
  return `${signed}.${Buffer.from(signature).toString('base64url')}`
}

function block(kind: string, text: string): string {
  return `-----BEGIN ${kind}-----\n${text}\n------END ${kind}------\n`
}

/** Also that the three have chosen who leads. */
async function isReady(server: ChildProcess): Promise<void> {
  let said = ''
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await until('a server of the cluster is ready', () => {
    if (server.exitCode !== null) throw new Error(said)
    return /JetStream cluster (new )?metadata leader/.test(said)
  })
}
