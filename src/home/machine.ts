import { createHash, randomBytes } from 'node:crypto'
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { systemId } from '../platform/machine-id.ts'
import { isMachineId } from '../protocol/address.ts'
import type { Folders } from './folders.ts'
import { writePrivate } from './private-file.ts'
import { openRegular, readAt } from './regular-file.ts'

export interface OwnMachine {
  readonly id: string
  /** What is wrong with the file that stores it, in words. */
  readonly trouble?: string
}

/** An id, and the hardware it was made for. */
interface MachineEntry {
  readonly id: string
  /** SHA-256: the system's own id must not be published. */
  readonly of: string
}

/** If more machines share or copy a folder, the newest stay. */
const MACHINES_MAX = 32
const FILE_MAX_BYTES = 16_384

export function machineFileOf({ data }: Pick<Folders, 'data'>): string {
  return join(data, 'machine.json')
}

/**
 * SPEC MA1–MA4. The id of this machine, created if there is none yet. The file has an id for each
 * machine that uses the folder: a home that was copied elsewhere, or that several machines mount,
 * must not make two machines one. Called only by the daemon, which holds the folder's lock by then.
 */
export function ownMachine(
  folders: Pick<Folders, 'data'>,
  system: () => string = systemId,
): OwnMachine {
  const file = machineFileOf(folders)
  const of = createHash('sha256').update(`vigil ${system()}`).digest('hex')
  const { entries, fault } = entriesIn(file)
  const known = entries.find((entry) => entry.of === of)
  if (known) return { id: known.id }
  const id = `m${randomBytes(12).toString('hex')}`
  const kept = [{ id, of }, ...entries].slice(0, MACHINES_MAX)
  try {
    writePrivate(file, `${JSON.stringify({ machines: kept })}\n`)
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message
    return {
      id,
      trouble: `${file}: cannot be written (${why}); the next daemon will have another id`,
    }
  }
  return fault === undefined
    ? { id }
    : { id, trouble: `${file}: ${fault}; vigil made a new id for this machine` }
}

function entriesIn(file: string): { entries: readonly MachineEntry[]; fault?: string } {
  const opened = openRegular(file)
  if (opened.is === 'absent') return { entries: [] }
  if (opened.is === 'odd') return { entries: [], fault: `expected a file, found ${opened.what}` }
  if (opened.is === 'unreadable') return { entries: [], fault: `cannot be read: ${opened.why}` }
  try {
    const content = Buffer.alloc(FILE_MAX_BYTES)
    const text = content.toString('utf8', 0, readAt(opened.fd, content, 0))
    const { machines } = JSON.parse(text) as { machines?: unknown }
    if (Array.isArray(machines) && machines.every(isEntry)) return { entries: machines }
  } catch {
    // Reported below.
  } finally {
    closeSync(opened.fd)
  }
  return { entries: [], fault: 'was changed by another program' }
}

function isEntry(value: unknown): value is MachineEntry {
  const { id, of } = (value ?? {}) as Partial<MachineEntry>
  return typeof id === 'string' && isMachineId(id) && typeof of === 'string'
}
