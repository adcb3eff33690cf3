import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../support/daemon.ts'
import { freePort, noNats } from '../support/nats.ts'
import { NatsCluster } from '../support/nats-cluster.ts'
import { describeUnless } from '../support/needs.ts'
import { type FleetMachine, FleetMachines, refusal } from './machines.ts'

const VERSION = '2.15.1'

describeUnless(noNats(VERSION))('a fleet on a cluster that vigil did not set up', () => {
  let cluster: NatsCluster
  let machines: FleetMachines
  let founder: FleetMachine
  let member: FleetMachine
  const begin = (creds: string | null, servers: readonly string[] = cluster.urls) =>
    founder.client.joinFleet({ line: null, servers, creds, ca: null, allowOldServer: false })

  beforeAll(async () => {
    machines = new FleetMachines(VERSION)
    const started = [NatsCluster.start(VERSION), machines.start(), machines.start()] as const
    ;[cluster, founder, member] = await Promise.all(started)
  })
  afterAll(async () => {
    await machines?.end()
    await cluster?.end()
  })

  it('[FL79] what cannot be used is refused, and changes nothing', async () => {
    const broken = join(cluster.folder, 'broken.creds')
    writeFileSync(broken, 'no credentials')
    expect(await refusal(begin(broken))).toMatch(/is no credentials file/)
    expect(await refusal(begin('/nonexistent/x.creds'))).toMatch(/cannot be read/)
    expect(await refusal(begin(null))).toMatch(/does not accept/)
    const nowhere = [`nats://127.0.0.1:${await freePort()}`]
    expect(await refusal(begin(null, nowhere))).toMatch(/cannot be reached/)
    const encrypted = cluster.urls.map((url) => url.replace('nats:', 'tls:'))
    expect(await refusal(begin(null, encrypted))).toMatch(/TLS/)
    const plain = cluster.creds('plain', undefined, 'plain')
    expect(await refusal(begin(plain))).toMatch(/JetStream is not enabled/)
    const nothing = cluster.creds('nothing', { publish: ['x'], subscribe: ['_INBOX.>'] })
    expect(await refusal(begin(nothing))).toMatch(/does not allow this machine/)
    expect(founder.hasState).toBe(false)
    expect(await founder.troubles()).toBe('')
  })

  it('[FL79] a machine begins the fleet there, and the bucket has copies', async () => {
    await begin(cluster.creds('founder'))
    await founder.works('here')
    const { fleet } = await founder.client.fleet()
    const nats = await connectedBy(cluster, cluster.creds('admin'))
    const info = await nats.request(`$JS.API.STREAM.INFO.KV_vigil_${fleet}`)
    expect(info.json()).toMatchObject({ config: { num_replicas: 3, discard: 'new' } })
    await nats.close()
  })

  it('[FL78] [FL79] another joins with credentials that allow no more than needed', async () => {
    await member.works('there')
    const { line, ownServer } = await founder.client.inviteToFleet({
      lookOnly: false,
      expiresMs: 60_000,
    })
    expect(ownServer).toBe(true)
    expect(await refusal(member.join(line))).toMatch(/does not accept/)
    const permissions = await founder.client.fleetPermissions(member.id)
    expect(permissions.publish.filter((subject) => subject.includes(founder.id))).toEqual([])
    expect(permissions.publish.some((subject) => /^(\$JS\.)?>|\$JS\.>/.test(subject))).toBe(false)
    const creds = cluster.creds('member', permissions)
    const wanted = { line, servers: [], creds, ca: null, allowOldServer: false }
    expect(await member.client.joinFleet(wanted)).toMatchObject({ machines: 2 })
    await machines.agree([founder, member])
    const explained = await founder.client.explain((await addressIn(founder, member)) ?? '')
    expect(explained?.session.machine).toBe(member.id)
    const nats = await connectedBy(cluster, creds, `_INBOX_${member.id}`)
    const { fleet } = await founder.client.fleet()
    const tried = [
      `$KV.vigil_${fleet}.beat.${founder.id}`,
      `$KV.vigil_${fleet}.roster`,
      `$JS.API.STREAM.PURGE.KV_vigil_${fleet}`,
      `vigil.${fleet}.reply.${member.id}.${founder.id}.x`,
    ]
    const refused: string[] = []
    void followRefusals(nats, refused)
    for (const subject of tried) nats.publish(subject, 'x')
    await until('all are refused', () => refused.length === tried.length)
    await nats.close()
  })

  it('[FL79] a server of the cluster that dies costs nothing', async () => {
    for (const name of ['more', 'and more']) await founder.works(name)
    await cluster.kill(cluster.urls[0] ?? '')
    await founder.works('later')
    await member.works('too')
    await machines.agree([founder, member])
    await founder.client.removeFromFleet(member.id)
    await until('it notices', () => !member.hasState, 10_000)
    await until('its rows are gone', async () => (await founder.rowsOf(member)).length === 0)
    await founder.client.leaveFleet()
    expect(founder.hasState).toBe(false)
  })
})

async function addressIn(viewer: FleetMachine, owner: FleetMachine): Promise<string | undefined> {
  const [row] = await viewer.rowsOf(owner)
  return row && `${row.machine}/${row.id}`
}

function connectedBy(
  cluster: NatsCluster,
  creds: string,
  inboxPrefix = '_INBOX',
): Promise<NatsConnection> {
  const authenticator = credsAuthenticator(readFileSync(creds))
  return connect({ servers: cluster.urls, authenticator, inboxPrefix })
}

async function followRefusals(nats: NatsConnection, refused: string[]): Promise<void> {
  for await (const status of nats.status())
    if (status.type === 'error') refused.push(status.error.message)
}
