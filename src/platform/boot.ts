import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { HAS_PROC } from './system.ts'

/** Names this boot; `-` where the system has no name for it. */
export function bootId(): string {
  if (!HAS_PROC) return '-'
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return '-'
  }
}

/** The monotonic clock of hook scripts; without it they run `date`. */
export const UPTIME_FILE = HAS_PROC ? '/proc/uptime' : '/nonexistent'

/** The clock of hook scripts, in seconds. */
export function hookClock(): number {
  return Math.floor(HAS_PROC ? uptime() : Date.now() / 1000)
}
