/**
 * A process becomes another program by exec: a shell, a wrapper, then the client. So a process that
 * is no client is checked again, ever less often.
 */
const FIRST_MS = 250
const MAX_MS = 300_000
const YOUNG_MS = 1_000

interface Program {
  readonly start: string
  readonly name: string
}

export interface OtherProcess extends Program {
  readonly waitMs: number
  readonly dueMs: number
}

export function isSameProgram({ start, name }: Program, before: Program | undefined): boolean {
  return before?.start === start && before.name === name
}

export function otherAfter(
  pid: number,
  { start, name }: Program,
  before: OtherProcess | undefined,
  nowMs: number,
): OtherProcess {
  const isKnown = isSameProgram({ start, name }, before)
  const waitMs = before && isKnown ? Math.min(before.waitMs * 2, MAX_MS) : FIRST_MS
  // Not all of them in the same scan.
  const spreadMs = ((pid % 10) * waitMs) / 20
  return { start, name, waitMs, dueMs: nowMs + waitMs - spreadMs }
}

/** SPEC S32. Those that have begun just now: a start script is about to become the client. */
export function youngIn(others: ReadonlyMap<number, OtherProcess>): number[] {
  const young: number[] = []
  for (const [pid, { waitMs }] of others) if (waitMs <= YOUNG_MS) young.push(pid)
  return young
}
