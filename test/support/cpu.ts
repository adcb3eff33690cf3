import { readFileSync } from 'node:fs'

/** CPU time of this process: unlike elapsed time, it does not depend on how busy the machine is. */
export function cpuMs(act: () => unknown): number {
  const before = process.cpuUsage()
  act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** A clock tick, as /proc counts; the same on every Linux. */
const TICK_MS = 10

/** CPU time of another process since its start. */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const [user, system] = [Number(fields[11]), Number(fields[12])]
  return (user + system) * TICK_MS
}
