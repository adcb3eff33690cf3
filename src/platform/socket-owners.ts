import { open } from 'node:fs/promises'
import { endianness } from 'node:os'
import { IS_PORTABLE } from './system.ts'

/** The other end of a connection: its source address, and the address it connected to. */
export interface Peer {
  readonly address: string
  readonly port: number
  readonly localAddress: string
  readonly localPort: number
}

/** SPEC CT4. Only Linux shows a connection's user. A Linux that should and cannot refuses all. */
export function showsSocketOwners(): boolean {
  return process.platform === 'linux' && !IS_PORTABLE
}

/** A socket of IPv6 that connected to an IPv4 address is in the second. */
export const SOCKET_TABLES = ['/proc/net/tcp', '/proc/net/tcp6']

/**
 * SPEC CT2. The users whose established sockets are the peers' ends, by peer: Linux lists every
 * socket of the machine with its user. A socket that its process has closed stays in the list for a
 * while, without an inode and as if it were root's: it is ignored. With 14,000 sockets the tables
 * have 2 MB and take 50 ms to read; the event loop searches the 4 KB of each read, and stops as
 * soon as every peer is found.
 */
export async function ownersOf(peers: readonly Peer[]): Promise<ReadonlyMap<Peer, number>> {
  const owners = new Map<Peer, number>()
  for (const path of SOCKET_TABLES) {
    const wanted = new Wanted(peers, path.endsWith('6'))
    for await (const rows of rowsIn(path)) {
      wanted.findIn(rows, owners)
      if (owners.size === peers.length) return owners
    }
  }
  return owners
}

/** Peers in the form of the table's rows. */
class Wanted {
  /** By the address they connected to, then by their own. */
  readonly #byFar = new Map<string, Map<string, Peer>>()

  constructor(peers: readonly Peer[], isSix: boolean) {
    for (const peer of peers) {
      const near = endOf(peer.address, peer.port, isSix)
      const end = endOf(peer.localAddress, peer.localPort, isSix)
      if (near === undefined || end === undefined) continue
      const far = ` ${end} ${ESTABLISHED} `
      const nears = this.#byFar.get(far) ?? new Map<string, Peer>()
      this.#byFar.set(far, nears.set(near, peer))
    }
  }

  /** One search for all peers of a port: a row is read only where it is about that port. */
  findIn(rows: Buffer, owners: Map<Peer, number>): void {
    for (const [far, nears] of this.#byFar)
      for (let at = rows.indexOf(far); at !== -1; at = rows.indexOf(far, at + far.length)) {
        const near = rows.toString('latin1', rows.lastIndexOf(' ', at - 1) + 1, at)
        const peer = nears.get(near)
        const uid = peer && uidIn(rows, at + far.length)
        if (uid !== undefined) owners.set(peer as Peer, uid)
      }
  }
}

const ESTABLISHED = '01'

/** The table has addresses as 32-bit numbers in the machine's own byte order. */
const IS_LITTLE_ENDIAN = endianness() === 'LE'

/** An IPv4 address in the table of IPv6 is one of `::ffff:0:0/96`. */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
const LOOPBACK_SIX = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]

/** Undefined for an address of the other table, or one that no loopback connection has. */
function endOf(address: string, port: number, isSix: boolean): string | undefined {
  const bytes = bytesOf(address, isSix)
  if (!bytes) return undefined
  const words = Array.from({ length: bytes.length / 4 }, (_, i) => bytes.slice(i * 4, i * 4 + 4))
  const hex = words.map((word) =>
    Buffer.from(IS_LITTLE_ENDIAN ? word.toReversed() : word).toString('hex'),
  )
  return `${hex.join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
}

function bytesOf(address: string, isSix: boolean): readonly number[] | undefined {
  if (address === '::1') return isSix ? LOOPBACK_SIX : undefined
  const parts = address.replace(/^::ffff:/, '').split('.')
  if (parts.length !== 4) return undefined
  return [...(isSix ? MAPPED : []), ...parts.map(Number)]
}

/** `queues timer retransmits uid timeout inode …`: no user where there is no inode. */
function uidIn(rows: Buffer, from: number): number | undefined {
  const end = rows.indexOf('\n', from)
  const rest = rows.toString('latin1', from, end === -1 ? rows.length : end)
  const [, uid, inode] = /^\S+\s+\S+\s+\S+\s+(\d+)\s+\d+\s+(\d+)\s/.exec(rest) ?? []
  return inode === undefined || inode === '0' ? undefined : Number(uid)
}

/** Whole rows, a few at a time. A machine without IPv6 has no second table. */
async function* rowsIn(path: string): AsyncGenerator<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && path !== SOCKET_TABLES[0]) return undefined
    throw error
  })
  if (!file) return
  try {
    const buffer = Buffer.alloc(READ_MAX_BYTES)
    let kept = 0
    for (;;) {
      const { bytesRead } = await file.read(buffer, kept, buffer.length - kept, null)
      if (bytesRead === 0) return
      const end = buffer.lastIndexOf('\n', kept + bytesRead - 1) + 1
      yield buffer.subarray(0, end)
      kept = buffer.copy(buffer, 0, end, kept + bytesRead)
    }
  } finally {
    await file.close()
  }
}

const READ_MAX_BYTES = 64 * 1024
