import { join } from 'node:path'
import { parseJson } from '../core/json.ts'
import type { Folders } from '../home/folders.ts'
import { fileText } from '../home/plain-file.ts'
import { writePrivate } from '../home/private-file.ts'
import type { ChainHead } from './chain-check.ts'

/**
 * SPEC AU3. With the other state, and not beside the log: replacing the log leaves it unchanged.
 */
export function headFileOf({ state }: Pick<Folders, 'state'>): string {
  return join(state, 'audit-head.json')
}

/** The message of the daemon's own log for an act. */
export const ACT_NOTED = 'an act was noted'

/** Undefined without a file; an unreadable one names an act that does not exist. */
export function readHead(path: string): ChainHead | undefined {
  const text = fileText(path)
  if (text === undefined) return undefined
  const { act, hash } = (parseJson(text) ?? {}) as Partial<ChainHead>
  const isHead = typeof act === 'number' && typeof hash === 'string'
  return isHead ? { act, hash } : { act: 0, hash: '' }
}

export function writeHead(path: string, head: ChainHead): void {
  writePrivate(path, `${JSON.stringify(head)}\n`)
}
