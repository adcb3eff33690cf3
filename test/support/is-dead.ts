import { readdirSync, readFileSync } from 'node:fs'

/** Also true for a zombie: a process that is ending still looks alive to a hook. */
export function isDead(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const isZombie = stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
    // Its sockets accept connections until its last thread has ended.
    return isZombie && readdirSync(`/proc/${pid}/task`).length === 1
  } catch {
    return true
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}
