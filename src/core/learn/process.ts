import type { Facts, ProcessFact } from '../facts.ts'
import type { Signal, SignalOf } from '../signal.ts'
import { newest } from './mark.ts'

/** Any signal that names a session and a process binds them; the newest binding holds. */
export function learnHolder(facts: Facts, signal: Signal): Facts {
  const { pid, start } = signal.about
  if (pid === undefined || signal.kind === 'process' || signal.kind === 'succeeded') return facts
  const held = facts.process
  const news = held?.pid !== pid || held.at < signal.at || held.firstAt > signal.at
  if (!news && (held.start || !start)) return facts
  return { ...facts, process: holderOf(held, processOf(signal, pid, start)) }
}

/**
 * A pid alone does not identify a process (SPEC C3): a killed client leaves its registry file
 * behind, and the kernel reuses its pid. So a sighting is stored apart from the process that
 * reported for the session, and the rules compare their start times.
 */
export function learnProcess(facts: Facts, signal: SignalOf<'process'>): Facts {
  const { pid, start } = signal.about
  if (pid === undefined) return facts
  const reported = processOf(signal, pid, start)
  if (!signal.alive) return { ...facts, died: firstSeen(facts.died, reported) }
  const sighted = newest(facts.sighted, { ...reported, ours: signal.ours })
  if (!signal.ours || facts.process?.pid === pid) return { ...facts, sighted }
  const details = withFolder(facts, signal.cwd)
  return { ...facts, sighted, details, process: holderOf(facts.process, reported) }
}

/** A process ends once, however often that is reported. */
function firstSeen(held: ProcessFact | undefined, reported: ProcessFact): ProcessFact {
  const isSame = held?.pid === reported.pid && held.start === reported.start
  if (!isSame || reported.start === undefined) return newest(held, reported)
  return held.at <= reported.at ? held : reported
}

/** The folder the process was started in, until the session itself reports one. */
function withFolder({ details }: Facts, cwd: string | undefined): Facts['details'] {
  return cwd === undefined || details.cwd !== undefined ? details : { ...details, cwd }
}

function processOf(signal: Signal, pid: number, start: string | undefined): ProcessFact {
  const mark = { at: signal.at, source: signal.source, pid }
  return start === undefined ? mark : { ...mark, start }
}

type Holder = NonNullable<Facts['process']>

/** Hooks know the pid but not its start: the registry's start is used for the same pid. */
function holderOf(held: Holder | undefined, reported: ProcessFact): Holder {
  const chosen = newest<ProcessFact>(held, reported)
  const same = held?.pid === reported.pid
  const start = chosen.start ?? (same ? (held?.start ?? reported.start) : undefined)
  const firstAt = same
    ? Math.min(held.firstAt, reported.at)
    : chosen === reported
      ? reported.at
      : (held?.firstAt ?? reported.at)
  return { ...chosen, firstAt, ...(start !== undefined && { start }) }
}
