import { closeSync, readdirSync, readFileSync } from 'node:fs'
import { HAS_PROC } from './system.ts'

const CLOSES_ON_EXEC = 0o2000000
const STDERR = 2

/**
 * Closes descriptors inherited from the parent process: Node's own are not inheritable. A daemon
 * and its holder run for weeks, and a client may wait for the end of its pipe. Only Linux lists
 * them; elsewhere the program that starts a daemon closes them first.
 */
export function closeInherited(kept: readonly number[]): void {
  if (!HAS_PROC) return
  for (const fd of readdirSync('/proc/self/fd').map(Number))
    if (fd > STDERR && !kept.includes(fd) && String(fd) !== process.env.NODE_CHANNEL_FD)
      if (isInherited(fd)) closeSync(fd)
}

function isInherited(fd: number): boolean {
  try {
    const [, flags = ''] =
      /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1')) ?? []
    return flags !== '' && (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) === 0
  } catch {
    return false
  }
}
