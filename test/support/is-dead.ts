import { readdirSync, readFileSync } from 'node:fs'

/** Also where nothing waits for it: a process that is ending lives on for a hook that looks. */
export function isDead(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const isZombie = stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
    // Its sockets take connections until its last thread has ended.
    return isZombie && readdirSync(`/proc/${pid}/task`).length === 1
  } catch {
    return true
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself in this moment.
  }
}
