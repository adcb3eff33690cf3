import { randomBytes } from 'node:crypto'
import { fstatSync } from 'node:fs'
import { bootId } from '../../platform/boot.ts'
import { SYSTEM } from '../../platform/system.ts'

/** The page's own address, and the listening sockets that it was made for. */
export interface HeldOrigin {
  /** `http://LABEL.localhost:PORT` */
  readonly origin: string
  /** Identifies exactly these sockets: others, on the same port too, have another name. */
  readonly sockets: string
}

/** The sockets that the daemon's page listens on. */
export interface Bound {
  readonly port: number
  /** File descriptors of the listening sockets. */
  readonly fds: readonly number[]
}

/**
 * SPEC OC2. The hold of these sockets: the previous hold, if they are the same sockets, which a
 * holder kept while no daemon ran. Any others get a new address, because another user may have
 * listened on the old one meanwhile.
 */
export function holdOf(bound: Bound, id: string, before: HeldOrigin | undefined): HeldOrigin {
  // Inodes restart with each boot. Where a boot has no name the holder's id must do.
  const inodes = bound.fds.map((fd) => fstatSync(fd, { bigint: true }).ino)
  const sockets = [id, bootId(), ...inodes].join(' ')
  return before?.sockets === sockets ? before : { origin: newOrigin(bound.port), sockets }
}

/**
 * SPEC OC1. An address that could not be known before: no other user can have left a service worker
 * for it in a browser. Chromium and Firefox resolve every name under `localhost` to this machine
 * themselves. Safari leaves that to macOS, which does not: there only the port is new.
 */
export function newOrigin(port: number, platform: NodeJS.Platform = SYSTEM): string {
  if (platform === 'darwin') return `http://127.0.0.1:${port}`
  return `http://v${randomBytes(16).toString('hex')}.localhost:${port}`
}
