import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Folders } from '../home/folders.ts'

/** Who the daemon is, for those who look for it without asking it. */
export interface Who {
  readonly pid: number
  /** When its process began, as the system counts it; a pid alone may be another's by now. */
  readonly start: string | undefined
  readonly version: string
  readonly port: number
  readonly startedAt: number
}

/** The hook reads this one: a line that `sh` can take apart. */
export function pidFileOf(folders: Folders): string {
  return join(folders.run, 'daemon.pid')
}

/** Made by the hook that starts a daemon, so that a hundred hooks at once start one. */
function startingFileOf(folders: Folders): string {
  return join(folders.run, 'starting')
}

export function announce(folders: Folders, who: Who): void {
  replace(folders.daemonFile, `${JSON.stringify(who)}\n`)
  replace(pidFileOf(folders), `${who.pid} ${who.start ?? '-'}\n`)
  rmSync(startingFileOf(folders), { force: true })
}

export function whoRuns(folders: Folders): Who | undefined {
  try {
    return JSON.parse(readFileSync(folders.daemonFile, 'utf8')) as Who
  } catch {
    return undefined
  }
}

export function withdraw(folders: Folders): void {
  for (const file of [folders.daemonFile, pidFileOf(folders), startingFileOf(folders)])
    rmSync(file, { force: true })
}

function replace(path: string, content: string): void {
  const draft = join(dirname(path), `.${process.pid}.draft`)
  writeFileSync(draft, content, { mode: 0o600 })
  renameSync(draft, path)
}
