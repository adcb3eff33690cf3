import { execFileSync } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { versionIn } from '../agents/claude/events.ts'
import { Refused } from '../edit/refused.ts'

export interface InstalledClient {
  readonly path: string
  readonly version: string
}

type Env = Readonly<Record<string, string | undefined>>

/** A client that is named must answer; one that is only looked for may be missing. */
export function findClient(named: string | undefined, env: Env): InstalledClient | undefined {
  if (named === undefined) {
    const path = candidates(env).find(isProgram)
    const version = path && askVersion(path, env)
    return path && version ? { path, version } : undefined
  }
  const path = named.includes('/') ? resolve(named) : (inPath(named, env).find(isProgram) ?? named)
  const version = askVersion(path, env)
  if (version) return { path, version }
  throw new Refused(`${named}: expected a version from ${path} --version, got none`)
}

/** The client's own installers put it beside PATH as well. */
function candidates(env: Env): string[] {
  const home = env.HOME ?? ''
  return [
    ...inPath('claude', env),
    join(home, '.local/bin/claude'),
    join(home, '.claude/local/claude'),
  ]
}

function inPath(name: string, env: Env): string[] {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, name))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** A client answers within a second; a cold disk or a busy machine may take several. */
const ANSWER_WITHIN_MS = 20_000

function askVersion(path: string, env: Env): string | undefined {
  try {
    const said = execFileSync(path, ['--version'], {
      env: { ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: ANSWER_WITHIN_MS,
      killSignal: 'SIGKILL',
    })
    return versionIn(said)
  } catch {
    return undefined
  }
}
