import type { RecordedLine } from '../agents/truth-reader.ts'
import { PROCESS } from '../core/stand-ins.ts'
import { newestSession, type Score, scoreOf, type TimedVerdict } from './meter.ts'
import { truthOf, truthReaderOf } from './truth.ts'
import { unreportedIn } from './unreported.ts'

/** One client of a run, and its successors in the same place (resume, restart). */
export interface ClientRun {
  readonly pids: ReadonlySet<number>
  /** The sessions it named as its own. */
  readonly sessions: ReadonlySet<string>
  /** No other client ran beside it: everything is about it, also reports that name no session. */
  readonly alone: boolean
}

/**
 * Splits a run by client. Clients that live at the same time are different strands; a client that
 * starts after another has ended continues its strand.
 */
export function strandsOf(lines: readonly RecordedLine[]): readonly ClientRun[] {
  const named = sessionsByPid(lines)
  const strands: Growing[] = []
  for (const { t, pid, ends } of livesIn(lines)) {
    const own = strands.find(({ open }) => open === pid)
    if (own && ends) Object.assign(own, { open: undefined, endedAt: t })
    if (own || ends) continue
    const sessions = named.get(pid) ?? new Set()
    const strand = continued(strands, sessions) ?? begun(strands)
    strand.open = pid
    strand.pids.add(pid)
    for (const session of sessions) strand.sessions.add(session)
  }
  if (strands.length === 0) begun(strands)
  const alone = strands.length === 1
  return strands.map(({ pids, sessions }) => ({ pids, sessions, alone }))
}

interface Growing {
  readonly pids: Set<number>
  readonly sessions: Set<string>
  /** The live client. */
  open: number | undefined
  endedAt: number
}

function begun(strands: Growing[]): Growing {
  const strand = { pids: new Set<number>(), sessions: new Set<string>(), open: undefined }
  strands.push({ ...strand, endedAt: 0 })
  return strands.at(-1) as Growing
}

/** The strand whose session it resumes, otherwise the one that ended last. */
function continued(
  strands: readonly Growing[],
  sessions: ReadonlySet<string>,
): Growing | undefined {
  const free = strands.filter(({ open }) => open === undefined)
  const last = free.toSorted((a, b) => a.endedAt - b.endedAt).at(-1)
  return free.find((strand) => [...sessions].some((id) => strand.sessions.has(id))) ?? last
}

/** Starts and ends of clients: from their own files; without files, from their processes. */
function livesIn(lines: readonly RecordedLine[]): { t: number; pid: number; ends: boolean }[] {
  const files = lines.some(isFile)
  return lines.flatMap((line) => {
    const { t, source, pid, alive, file } = line
    const ends =
      (source === 'registry' && file === null) || (source === 'process' && alive === false)
    const begins = files ? isFile(line) : source === 'process' && alive === true
    return typeof pid === 'number' && (begins || ends) ? [{ t, pid, ends }] : []
  })
}

function isFile({ source, file }: RecordedLine): boolean {
  return source === 'registry' && file !== null
}

/** From the clients' own files and notes of the recorder; else the processes that ran hooks. */
function sessionsByPid(lines: readonly RecordedLine[]): ReadonlyMap<number, Set<string>> {
  const named = new Map<number, Set<string>>()
  const name = (pid: unknown, session: unknown) => {
    if (typeof pid !== 'number' || typeof session !== 'string') return
    named.set(pid, (named.get(pid) ?? new Set()).add(session))
  }
  const files = lines.some(isFile)
  const truthReader = truthReaderOf(lines)
  for (const line of lines) {
    if (line.source === 'hook' ? files : !NAMING.has(line.source)) continue
    const named = truthReader?.names(line)
    name(named?.pid, named?.session)
  }
  return named
}

/** The recorder may know whom its user talked to. */
const NAMING: ReadonlySet<string> = new Set(['registry', 'action'])

/** The lines of a run that carry the truth about a strand. */
export function linesOf(
  strand: ClientRun,
  lines: readonly RecordedLine[],
): readonly RecordedLine[] {
  if (strand.alone) return lines
  const truthReader = truthReaderOf(lines)
  return lines.filter((line) => {
    if (line.source === 'meta') return true
    if (line.source !== 'hook') return strand.pids.has(Number(line.pid))
    return strand.sessions.has(String(truthReader?.names(line).session))
  })
}

/** The verdicts about a strand: of its sessions, and of its processes before they had a name. */
export function verdictsOf<S extends TimedVerdict>(
  strand: ClientRun,
  changes: readonly S[],
): readonly S[] {
  if (strand.alone) return newestSession(changes)
  const processes = new Set([...strand.pids].map((pid) => `${PROCESS}${pid}`))
  const own = changes.filter(
    ({ verdict: { session } }) => strand.sessions.has(session) || processes.has(session),
  )
  return newestSession(own)
}

/** The accuracy of the changes of a run, all clients together; undefined without a truth. */
export function scoreRun(
  lines: readonly RecordedLine[],
  changes: readonly TimedVerdict[],
  endAt: number,
): Score | undefined {
  const scores = strandsOf(lines).flatMap((strand) => {
    const truths = truthOf(linesOf(strand, lines))
    const leftOut = unreportedIn(strand, lines, truths)
    return scoreOf({ truths, said: verdictsOf(strand, changes), endAt, leftOut }) ?? []
  })
  return joinedScore(scores)
}

/** Clients that ran at the same time, as one. */
export function joinedScore(scores: readonly Score[]): Score | undefined {
  const [first, ...others] = scores
  if (!first) return undefined
  return others.reduce((a, b) => {
    const byState = new Map(a.byState)
    for (const [state, { rightMs, totalMs }] of b.byState) {
      const own = byState.get(state) ?? { rightMs: 0, totalMs: 0 }
      byState.set(state, { rightMs: own.rightMs + rightMs, totalMs: own.totalMs + totalMs })
    }
    return {
      rightMs: a.rightMs + b.rightMs,
      totalMs: a.totalMs + b.totalMs,
      worst: (b.worst?.ms ?? 0) > (a.worst?.ms ?? 0) ? b.worst : a.worst,
      finalRight: a.finalRight && b.finalRight,
      final: `${a.final} ${b.final}`,
      kindRightMs: a.kindRightMs + b.kindRightMs,
      kindTotalMs: a.kindTotalMs + b.kindTotalMs,
      byState,
    }
  }, first)
}
