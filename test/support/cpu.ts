import { readFileSync } from 'node:fs'

/** Processor time of this process: unlike the clock's, a busy machine does not stretch it. */
export function cpuMs(act: () => unknown): number {
  const before = process.cpuUsage()
  act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** A clock tick, as /proc counts; the same on every Linux. */
const TICK_MS = 10

/** Processor time of another process since it began. */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const [user, system] = [Number(fields[11]), Number(fields[12])]
  return (user + system) * TICK_MS
}
