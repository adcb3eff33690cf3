import { closeSync } from 'node:fs'
import { normalize } from 'node:path'
import { isTranscript, projectsFolder } from '../agents/claude/files.ts'
import { configFolderIn } from '../agents/claude/folder.ts'
import { type Opened, openWithin, readAt } from '../home/regular-file.ts'

/** SPEC BR7. An agent names its transcript: opened only where clients keep theirs. */
export function openTranscript(path: string): Opened {
  const config = configFolderIn(path)
  const projects = config === undefined ? undefined : projectsFolder(config)
  const isPlain = path.startsWith('/') && path === normalize(path)
  if (projects === undefined || !isPlain || !isTranscript(projects, path))
    return { is: 'unreadable', why: 'expected a transcript below a projects folder' }
  return openWithin(projects, path)
}

/** The lines at its end, the first of them perhaps torn; nothing where none can be read. */
export function transcriptEnd(path: string, maxBytes: number): readonly string[] | undefined {
  const opened = openTranscript(path)
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
