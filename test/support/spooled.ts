import { hash } from 'node:crypto'
import type { Spooled } from '../../src/sources/arrival.ts'

/** Of a payload as `DaemonHome.write` puts it into the spool. */
export function digestOf(payload: object): string {
  return hash('sha256', JSON.stringify(payload))
}

/** A report of this name without a file: its name stands for its payload. */
export function spooledAs(name: string): Spooled {
  return { name, digest: hash('sha256', name) }
}
