import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'

const known = new WeakMap<Socket, boolean>()

/**
 * SPEC DR8. Whether the other end of a connection is another user's, where the system tells: Linux.
 * `vigil open` gives the browser its code as an argument, which every user of a machine can read;
 * and whoever takes the port while no daemon runs can have a browser tell him its key. Neither may
 * let him in. Asked once a connection.
 */
export function isForeign(socket: Socket): boolean {
  const found = known.get(socket) ?? isOfAnother(socket)
  known.set(socket, found)
  return found
}

function isOfAnother({ remotePort, localPort }: Socket): boolean {
  const own = process.getuid?.()
  const tables = [tableOf('tcp'), tableOf('tcp6')]
  if (remotePort === undefined || localPort === undefined || own === undefined) return false
  if (tables[0] === undefined) return false
  const uid = ownerIn(`${tables.join('\n')}`, remotePort, localPort)
  // Root reads everything anyway, and relays what comes from outside of a virtual machine.
  return uid !== own && uid !== 0
}

function tableOf(name: 'tcp' | 'tcp6'): string | undefined {
  try {
    return readFileSync(`/proc/net/${name}`, 'latin1')
  } catch {
    return undefined
  }
}

/** Of the other end: there the port it came from is the local one. */
function ownerIn(table: string, from: number, to: number): number | undefined {
  const [near, far] = [`${LOOPBACK}:${hex(from)}`, `${LOOPBACK}:${hex(to)}`]
  for (const line of table.split('\n')) {
    const [, local = '', remote = '', , , , , uid] = line.trim().split(/\s+/)
    if (local.endsWith(near) && remote.endsWith(far)) return Number(uid)
  }
  return undefined
}

/** 127.0.0.1 as those files have it; the longer addresses of the second end with it. */
const LOOPBACK = '0100007F'

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0')
}
