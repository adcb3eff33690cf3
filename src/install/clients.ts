import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '../agents/agent.ts'
import { isAtLeast } from '../agents/version.ts'
import { environmentOfProcess, programOf, readablePids } from '../platform/process-files.ts'
import type { InstalledClient } from './client.ts'

/** A client that reads the settings of a home, and how vigil found it. */
export interface ClientInUse {
  readonly version: string
  readonly seen: string
}

/**
 * A client that wrote a log within this time is still in use. A longer time would hold new events
 * back after an update; a shorter one would forget a client that is used once a week.
 */
const IN_USE_DAYS = 7
const DAY_MS = 86_400_000

/**
 * SPEC I15. The oldest client that uses this home, by programs, processes, status files and logs.
 */
export function oldestClient(
  agent: Agent,
  home: string,
  programs: readonly InstalledClient[],
  now = Date.now(),
): ClientInUse | undefined {
  const all = [
    ...programs.map(({ version, path }) => ({ version, seen: path })),
    ...inProcesses(agent, home),
    ...inStatusFiles(agent, home),
    ...inLogs(agent, home, now - IN_USE_DAYS * DAY_MS),
  ]
  return all.reduce<ClientInUse | undefined>(
    (oldest, one) => (oldest && isAtLeast(one.version, oldest.version) ? oldest : one),
    undefined,
  )
}

/** The version of a running program; undefined if an interpreter runs the client. */
export function versionOfProcess({ versions }: Agent, pid: number): string | undefined {
  const program = programOf(pid)
  return program && versions?.ofProgram(program, textAt)
}

/** If the system does not list programs, status files and logs name the same clients. */
function inProcesses(agent: Agent, home: string): ClientInUse[] {
  return readablePids().flatMap((pid) => {
    const version = versionOfProcess(agent, pid)
    if (version === undefined) return []
    const env = environmentOfProcess(pid)
    const isHere = agent.homes(env, env.HOME ?? '').includes(home)
    return isHere ? [{ version, seen: `process ${pid}` }] : []
  })
}

function inStatusFiles({ statusFiles, versions }: Agent, home: string): ClientInUse[] {
  if (!statusFiles || !versions) return []
  const folder = statusFiles.folderOf(home)
  return namesIn(folder).flatMap((name) => {
    const pid = statusFiles.pidIn(name)
    // A killed client leaves its file behind.
    if (pid === undefined || !isAlive(pid)) return []
    const version = versions.inRecord(entryOf(textAt(join(folder, name)) ?? ''))
    return version === undefined ? [] : [{ version, seen: `process ${pid}` }]
  })
}

function inLogs({ logs, versions }: Agent, home: string, since: number): ClientInUse[] {
  if (!logs || !versions) return []
  const root = logs.rootOf(home)
  return filesBelow(root, logs.depth).flatMap((path) => {
    if (!logs.isLog(root, path) || modifiedAt(path) < since) return []
    const version = lastIn(path, versions.inRecord)
    return version === undefined ? [] : [{ version, seen: path }]
  })
}

function filesBelow(folder: string, depth: number): string[] {
  const paths = namesIn(folder).map((name) => join(folder, name))
  return depth === 0 ? paths : paths.flatMap((path) => filesBelow(path, depth - 1))
}

/** The newest entries, and the first, are within this many bytes; a longer line is not read. */
const PART_BYTES = 65_536

/** Some clients name their version in every entry, others in the first alone. */
function lastIn(path: string, read: (entry: unknown) => string | undefined): string | undefined {
  for (const part of ['tail', 'head'] as const)
    for (const line of (partOf(path, part) ?? '').split('\n').reverse()) {
      const version = read(entryOf(line))
      if (version !== undefined) return version
    }
  return undefined
}

function partOf(path: string, part: 'tail' | 'head'): string | undefined {
  return orNone(() => {
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(PART_BYTES)
      const from = part === 'head' ? 0 : Math.max(0, fstatSync(file).size - PART_BYTES)
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, PART_BYTES, from))
    } finally {
      closeSync(file)
    }
  })
}

function entryOf(text: string): unknown {
  return orNone(() => JSON.parse(text))
}

function modifiedAt(path: string): number {
  return orNone(() => statSync(path).mtimeMs) ?? 0
}

function isAlive(pid: number): boolean {
  return orNone(() => process.kill(pid, 0)) === true
}

function namesIn(folder: string): readonly string[] {
  return orNone(() => readdirSync(folder)) ?? []
}

function textAt(path: string): string | undefined {
  return orNone(() => readFileSync(path, 'utf8'))
}

function orNone<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
