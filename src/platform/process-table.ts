import { execFileSync } from 'node:child_process'
import type { Env } from '../agents/agent.ts'
import { isSameStart } from '../core/process-start.ts'
import { ProcTable, procStat } from './proc-table.ts'
import { pathTo } from './programs.ts'
import { PS_ENV, PsTable, psArgs } from './ps-table.ts'
import { HAS_PROC } from './system.ts'

/** What is seen of a process at a glance. */
export interface ProcessEntry {
  /** As the client writes it into its registry file, so that pid and start name one process. */
  readonly start: string
  readonly name: string
  readonly zombie: boolean
}

/** Where a client works. */
export interface Surroundings {
  readonly cwd: string | undefined
  /** The variables that were asked for; nothing else of its environment is kept. */
  readonly env: Env
}

/** The system's processes: what differs between Linux and macOS stands behind this. */
export interface ProcessTable {
  /**
   * Pids that are there. `whole` when all of the machine's were listed: those not known yet are to
   * be looked at, and what is missing is gone. Else only the known ones were asked about. While an
   * agent is busy a costly look is worth its price.
   */
  list(
    known: readonly number[],
    isBusy: boolean,
  ): Promise<{ readonly pids: Set<number>; readonly whole: boolean }>
  /** A cheap look: false when it may be a zombie. */
  isSound(pid: number): boolean
  /** Undefined when it is gone or not known yet. */
  glance(pid: number): ProcessEntry | undefined
  /** Undefined when it is gone, somebody else's, or may not be looked at. */
  argsOf(pid: number): Promise<readonly string[] | undefined>
  /** Costly on some systems: asked of clients only. */
  surroundingsOf(pid: number, variables: readonly string[]): Promise<Surroundings>
}

export function processTable(): ProcessTable {
  return HAS_PROC ? new ProcTable() : new PsTable()
}

/** When a process began, as reports name it; undefined when it is not there. */
export function startTimeOf(pid: number): string | undefined {
  if (HAS_PROC) return procStat(pid)?.start
  try {
    const args = psArgs(['-p', String(pid)], ['lstart'])
    return execFileSync(pathTo('ps'), args, { encoding: 'utf8', env: PS_ENV }).trim() || undefined
  } catch {
    return undefined
  }
}

/** SPEC PT2. Whether this very process is there still: its pid alone may be another's by now. */
export function isProcess(pid: number, start: string): boolean {
  const begun = startTimeOf(pid)
  return begun !== undefined && isSameStart(begun, start)
}
