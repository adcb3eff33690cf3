import { closeSync } from 'node:fs'
import { normalize } from 'node:path'
import type { Logs } from '../agents/agent.ts'
import { type OpenedFile, openWithin, readAt } from '../home/regular-file.ts'

/** SPEC BR7. An agent names its transcript: opened only in the folders of its kind of agent. */
export function openTranscript(logs: Logs, path: string): OpenedFile {
  const home = logs.homeOf(path)
  const root = home === undefined ? undefined : logs.rootOf(home)
  const isPlain = path.startsWith('/') && path === normalize(path)
  if (root === undefined || !isPlain || !logs.isLog(root, path))
    return { is: 'unreadable', why: 'expected a transcript in the agent’s own folder' }
  return openWithin(root, path)
}

/** The lines at its end, the first perhaps torn; undefined where none can be read. */
export function transcriptEnd(
  logs: Logs,
  path: string,
  maxBytes: number,
): readonly string[] | undefined {
  const opened = openTranscript(logs, path)
  if (opened.is !== 'open') return undefined
  try {
    const size = Number(opened.stats.size)
    const from = Math.max(0, size - maxBytes)
    const end = Buffer.allocUnsafe(size - from)
    return end.toString('utf8', 0, readAt(opened.fd, end, from)).split('\n')
  } catch {
    return undefined
  } finally {
    closeSync(opened.fd)
  }
}
