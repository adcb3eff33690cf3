import { execFileSync } from 'node:child_process'
import type { Env } from '../agents/agent.ts'
import { isSameStart } from '../core/process-start.ts'
import { ProcTable, procStat } from './proc-table.ts'
import { pathTo } from './programs.ts'
import { PS_ENV, PsTable, psArgs } from './ps-table.ts'
import { HAS_PROC } from './system.ts'

/** What a cheap look at a process shows. */
export interface ProcessEntry {
  /** As in the client's registry file, so that pid and start identify one process. */
  readonly start: string
  readonly name: string
  readonly zombie: boolean
}

/** Where a client works. */
export interface Surroundings {
  readonly cwd: string | undefined
  /** The requested variables; nothing else of its environment is stored. */
  readonly env: Env
}

export interface PidListing {
  readonly pids: ReadonlySet<number>
  /** All pids of the machine: missing ones are gone. Otherwise those that have begun. */
  readonly isWhole: boolean
}

/** The system's processes: the interface to what differs between Linux and macOS. */
export interface ProcessTable {
  /**
   * Unknown pids are to be checked. Undefined when no listing is due. While an agent is busy a
   * costly scan is worth its price.
   */
  list(known: Iterable<number>, isBusy: boolean): Promise<PidListing | undefined>
  /** A cheap check: false when it may be a zombie. */
  isRunning(pid: number): boolean
  /** Undefined when it is gone or not known yet. */
  glance(pid: number): ProcessEntry | undefined
  /** Undefined when it is gone, another user's, or inaccessible. */
  argsOf(pid: number): Promise<readonly string[] | undefined>
  /** Costly on some systems: only for clients. */
  surroundingsOf(pid: number, variables: readonly string[]): Promise<Surroundings>
}

export function processTable(): ProcessTable {
  return HAS_PROC ? new ProcTable() : new PsTable()
}

/** When a process began, as in reports; undefined when it does not exist. */
export function startTimeOf(pid: number): string | undefined {
  if (HAS_PROC) return procStat(pid)?.start
  try {
    const args = psArgs(['-p', String(pid)], ['lstart'])
    return execFileSync(pathTo('ps'), args, { encoding: 'utf8', env: PS_ENV }).trim() || undefined
  } catch {
    return undefined
  }
}

/** SPEC PT2. Whether this process still exists: the pid alone may belong to another by now. */
export function isProcess(pid: number, start: string): boolean {
  const begun = startTimeOf(pid)
  return begun !== undefined && isSameStart(begun, start)
}
