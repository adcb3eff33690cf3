import type { Facts, ProcessFact } from '../facts.ts'
import type { Signal, SignalOf } from '../signal.ts'
import { newest } from './mark.ts'

/** Any signal that names session and process together binds them; the newest binding holds. */
export function learnHolder(facts: Facts, signal: Signal): Facts {
  const { pid, start } = signal.about
  if (pid === undefined || signal.kind === 'process' || signal.kind === 'succeeded') return facts
  if (
    facts.process?.pid === pid &&
    facts.process.at >= signal.at &&
    (facts.process.start || !start)
  )
    return facts
  const told = processOf(signal, pid, start)
  return { ...facts, process: sameStart(newest(facts.process, told), facts.process, told) }
}

/**
 * A pid alone is not a process (SPEC C3): a killed client leaves its registry file behind, and the
 * kernel gives its pid away. So a sighting is kept apart from the process that spoke for the
 * session, and judging compares their start times.
 */
export function learnProcess(facts: Facts, signal: SignalOf<'process'>): Facts {
  const { pid, start } = signal.about
  if (pid === undefined) return facts
  const told = processOf(signal, pid, start)
  if (!signal.alive) return { ...facts, died: newest(facts.died, told) }
  const sighted = newest(facts.sighted, { ...told, ours: signal.ours })
  if (!signal.ours || facts.process?.pid === pid) return { ...facts, sighted }
  return { ...facts, sighted, process: newest(facts.process, told) }
}

function processOf(signal: Signal, pid: number, start: string | undefined): ProcessFact {
  const mark = { at: signal.at, source: signal.source, pid }
  return start === undefined ? mark : { ...mark, start }
}

/** Hooks know the pid but not its start: the registry's start is kept for the same pid. */
function sameStart(
  chosen: ProcessFact,
  held: ProcessFact | undefined,
  told: ProcessFact,
): ProcessFact {
  if (chosen.start !== undefined) return chosen
  const start = [held, told].find((other) => other?.pid === chosen.pid && other.start)?.start
  return start === undefined ? chosen : { ...chosen, start }
}
