import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeUnless, itUnless, NO_PROC, NOT_ROOT } from '../../../test/support/needs.ts'
import { ownersOf, type Peer } from '../../platform/socket-owners.ts'
import { Peers } from './peers.ts'

let server: Server
const accepted: Socket[] = []
beforeEach(async () => {
  server = createServer({ pauseOnConnect: true }, (socket) => accepted.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  for (const socket of accepted.splice(0)) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

const port = () => (server.address() as AddressInfo).port
const own = process.getuid?.() ?? -1

function peerOf({ remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 }: Socket) {
  return { address: remoteAddress, port: remotePort, localAddress, localPort }
}

/** The daemon's end of a connection with these options. */
async function connected(options: { host?: string; localAddress?: string } = {}) {
  const client = dial({ port: port(), host: '127.0.0.1', ...options }).on('error', () => {})
  const [[socket]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [
    [Socket],
    unknown,
  ]
  return { client, peer: peerOf(socket) }
}

/** A connection of another user, which takes root to make, for as long as the check takes. */
async function peerOfUser(uid: number): Promise<Peer> {
  const script = `exec 3<>/dev/tcp/127.0.0.1/${port()}; cat <&3`
  execFile('/bin/bash', ['-c', script], { uid, gid: uid, cwd: '/' }, () => {})
  const [socket] = (await once(server, 'connection')) as [Socket]
  return peerOf(socket)
}

describeUnless(NO_PROC)('the owner of a connection', () => {
  it.each([
    ['IPv4', {}],
    ['IPv6, mapped', { host: '::ffff:127.0.0.1' }],
    ['another address of this machine', { localAddress: '127.0.0.77' }],
  ])('[CT2] is found by both ends: %s', async (_, options) => {
    const { client, peer } = await connected(options)
    // Its row is in the table too, and says nothing about others.
    const other = await connected(options)
    const next = { ...peer, port: 1 }
    const elsewhere = { ...peer, address: '127.0.0.78' }
    const owners = await ownersOf([peer, next, elsewhere])
    expect([owners.get(peer), owners.get(next), owners.get(elsewhere)]).toEqual([
      own,
      undefined,
      undefined,
    ])
    client.destroy()
    other.client.destroy()
  })

  it.each(['end', 'destroy'] as const)(
    '[CT2] is not known once it is closed: %s',
    async (close) => {
      const { client, peer } = await connected()
      client.write('sent before')
      client[close]()
      if (close === 'destroy') await once(client, 'close')
      else await once(client, 'finish')
      expect((await ownersOf([peer])).size).toBe(0)
      expect(await new Peers().isTrusted(peer)).toBe(false)
      client.destroy()
    },
  )

  itUnless(NOT_ROOT)('[CT2] is trusted if it is the daemon’s user or root', async () => {
    const mine = new Peers({ own: 12_345 })
    expect(await mine.isTrusted(await peerOfUser(12_345))).toBe(true)
    expect(await mine.isTrusted(await peerOfUser(0))).toBe(true)
    expect(await mine.isTrusted(await peerOfUser(12_346))).toBe(false)
  })
})

describe('reading whose connections are', () => {
  const peer = (at: number): Peer => ({
    address: '127.0.0.1',
    port: at,
    localAddress: '127.0.0.1',
    localPort: 1,
  })

  it('[CT3] is done once for all that were accepted before it began', async () => {
    const reads: number[] = []
    const peers = new Peers({
      own: 7,
      read: async (wanted) => {
        reads.push(wanted.length)
        await new Promise((resolve) => setTimeout(resolve, 5))
        return new Map(wanted.map((one) => [one, one.port % 2 === 0 ? 7 : 8]))
      },
    })
    const all = Array.from({ length: 500 }, (_, at) => peers.isTrusted(peer(at)))
    expect((await Promise.all(all)).filter(Boolean)).toHaveLength(250)
    expect(reads).toEqual([1, 499])
  })

  it('[CT2] a connection that is missing is looked for once more, then refused', async () => {
    let reads = 0
    const found = new Peers({
      own: 7,
      read: async ([first]) => new Map(++reads === 2 && first ? [[first, 7]] : []),
    })
    expect(await found.isTrusted(peer(1))).toBe(true)
    expect([await found.isTrusted(peer(1)), reads]).toEqual([false, 4])
  })

  it('[CT2] where the table cannot be read all are refused, and that is said once', async () => {
    const said: string[] = []
    const peers = new Peers({
      own: 0,
      complain: (what) => said.push(what),
      read: () => Promise.reject(new Error('EACCES')),
    })
    expect([await peers.isTrusted(peer(1)), await peers.isTrusted(peer(2))]).toEqual([false, false])
    expect(said).toEqual(['cannot tell which user a connection belongs to'])
  })
})
