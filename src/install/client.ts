import { execFileSync, spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import type { Agent, Env } from '../agents/agent.ts'
import { versionIn } from '../agents/version.ts'
import { EditRefused } from '../edit/refused.ts'
import { realPath } from '../home/plain-file.ts'
import { isProgram } from '../platform/programs.ts'

export interface InstalledClient {
  readonly path: string
  readonly version: string
}

/** The agent's client in PATH, or where its installers put it. */
export function findClient(agent: Agent, env: Env): InstalledClient | undefined {
  const [path] = programsOf(agent, env)
  const version = path && askVersion(path, env)
  return path && version ? { path, version } : undefined
}

/** The agent's other clients: an extension, a second package manager, an earlier install. */
export function otherClients(
  agent: Agent,
  env: Env,
  first: InstalledClient | undefined,
): InstalledClient[] {
  const known = new Set(first ? [realPath(first.path)] : [])
  return programsOf(agent, env).flatMap((path) => {
    const real = realPath(path)
    if (known.has(real)) return []
    known.add(real)
    const version = askVersion(path, env)
    return version === undefined ? [] : [{ path, version }]
  })
}

function programsOf(agent: Agent, env: Env): string[] {
  const beside = agent.programs?.(env.HOME || homedir()) ?? []
  return [...inPath(agent.command, env), ...beside].filter(isProgram)
}

/** A client that the user names must print its version. */
export function namedClient(named: string, env: Env): InstalledClient {
  const path = named.includes('/') ? resolve(named) : (inPath(named, env).find(isProgram) ?? named)
  const version = askVersion(path, env)
  if (version) return { path, version }
  throw new EditRefused(`${named}: expected a version from ${path} --version, got none`)
}

export function isInPath(command: string, env: Env): boolean {
  return inPath(command, env).some(isProgram)
}

function inPath(name: string, env: Env): string[] {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, name))
}

/** A client answers within a second; a cold disk or a busy machine may take several. */
const ANSWER_WITHIN_MS = 20_000

function askVersion(path: string, env: Env): string | undefined {
  const said = askClient(path, ['--version'], env)
  return said === undefined ? undefined : versionIn(said)
}

/** The output of a client; undefined if it fails or does not end in time. */
export function askClient(
  path: string,
  args: readonly string[],
  env: Env,
  input = '',
): string | undefined {
  try {
    return execFileSync(path, args, {
      env: { ...env },
      encoding: 'utf8',
      input,
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: ANSWER_WITHIN_MS,
      killSignal: 'SIGKILL',
    })
  } catch {
    return undefined
  }
}

/** The same of a program that ends with its input, which stays open until it has printed that. */
export function converseWith(
  path: string,
  args: readonly string[],
  env: Env,
  input: string,
  until: RegExp,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(path, args, {
      env: { ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: ANSWER_WITHIN_MS,
      killSignal: 'SIGKILL',
    })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (until.test(said)) child.stdin.end()
    })
    // A program that ended early says so by its exit code.
    child.stdin.on('error', () => {})
    child.on('error', () => resolve(undefined))
    child.on('close', (code) => resolve(code === 0 ? said : undefined))
    child.stdin.write(input)
  })
}
