import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'

/**
 * SPEC DR8. Whose the other end of a connection on this machine is, where the system tells (Linux).
 * `vigil open` gives the browser its code as an argument, and every user of a machine can read what
 * others start: a code that one of them was quicker to use must not let him in.
 */
export function isForeign({ remotePort, localPort, remoteFamily }: Socket): boolean {
  if (remotePort === undefined || localPort === undefined || remoteFamily !== 'IPv4') return false
  const own = process.getuid?.()
  const uid = ownerOf(remotePort, localPort)
  // Root reads everything anyway, and relays what comes from outside of a virtual machine.
  return own !== undefined && uid !== undefined && uid !== own && uid !== 0
}

/** Of the other end: there the port it came from is the local one. */
function ownerOf(from: number, to: number): number | undefined {
  const [near, far] = [`${LOOPBACK}:${hex(from)}`, `${LOOPBACK}:${hex(to)}`]
  try {
    for (const line of readFileSync('/proc/net/tcp', 'latin1').split('\n')) {
      const [, local, remote, , , , , uid] = line.trim().split(/\s+/)
      if (local === near && remote === far) return Number(uid)
    }
  } catch {
    // Another system, or one that hides it.
  }
  return undefined
}

/** 127.0.0.1 as that file has it. */
const LOOPBACK = '0100007F'

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0')
}
