import { join } from 'node:path'
import { parseJson } from '../core/json.ts'
import type { Folders } from '../home/folders.ts'
import { fileText } from '../home/plain-file.ts'
import { writePrivate } from '../home/private-file.ts'
import type { ChainHead } from './chain-check.ts'

/** SPEC AU3. Beside the other state, and not beside the log: who replaces the one may miss it. */
export function headFileOf({ state }: Pick<Folders, 'state'>): string {
  return join(state, 'audit-head.json')
}

/** How the daemon's own log says that an act was noted. */
export const ACT_NOTED = 'an act was noted'

/** None when there is no such file; one that cannot be understood names no act there is. */
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
