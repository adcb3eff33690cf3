import { readFileSync } from 'node:fs'
import { dateOfStart } from '../core/process-start.ts'
import { HAS_PROC } from './system.ts'

/** Linux counts process starts in hundredths of a second, on every machine. */
const TICK_MS = 10

/** When a process began, from its start as the system counts it: ticks since boot, or a date. */
export function beganAt(start: string | undefined): number | undefined {
  if (start === undefined) return undefined
  if (!/^\d+$/.test(start)) return dateOfStart(start)
  const boot = bootAt()
  return boot === undefined ? undefined : boot + Number(start) * TICK_MS
}

function bootAt(): number | undefined {
  if (!HAS_PROC) return undefined
  try {
    const seconds = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]
    return seconds === undefined ? undefined : Number(seconds) * 1000
  } catch {
    return undefined
  }
}
