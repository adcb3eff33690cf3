import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import type { WaitingFor } from '../../src/core/signal.ts'
import { PROCESS } from '../../src/core/stand-ins.ts'
import type { ClientRun } from '../../src/recording/client-runs.ts'
import type { TimeSpan } from '../../src/recording/meter.ts'

/** What was said, and why. */
export interface Told {
  readonly t: number
  readonly verdict: {
    readonly session: string
    readonly state: string
    readonly for?: WaitingFor
    readonly rule?: string
    readonly reason?: string
  }
}

/** A session in a sample of what the daemon answers. */
interface Sampled {
  readonly id: string
  readonly state: string
  readonly pid?: number | null
  readonly for?: WaitingFor | null
  readonly rule?: string
  readonly reason?: string
}

/** After its return a daemon reads everything once before its verdicts count. */
const RETURN_MS = 1_000

/** The periods in which the lab had killed the daemon. */
export function awayIn(lines: readonly RecordedLine[]): readonly TimeSpan[] {
  const events = lines.filter(({ source, event }) => source === 'vigil' && event)
  return events.flatMap(({ t, event }) => {
    if (event !== 'killed') return []
    const back = events.find((other) => other.event === 'returned' && other.t >= t)
    return [{ from: t, to: (back?.t ?? Number.POSITIVE_INFINITY) + RETURN_MS }]
  })
}

/** The daemon's verdicts on a client, change by change; undefined if none ran. */
export function liveSaid(
  strand: ClientRun,
  lines: readonly RecordedLine[],
): readonly Told[] | undefined {
  const samples = samplesIn(lines)
  if (samples.length === 0) return undefined
  const newest = new Newest()
  const told: Told[] = []
  for (const { t, sessions } of samples) {
    const listed = sessions as readonly Sampled[] | null
    const own = listed?.filter((session) => isOwn(strand, session))
    const verdict = own ? newest.of(own) : { ...NOTHING, reason: 'the daemon does not answer' }
    const last = told.at(-1)?.verdict
    const same = last?.session === verdict.session && last.state === verdict.state
    if (!same || last.for !== verdict.for) told.push({ t, verdict })
  }
  return told
}

/** If one client ran, lines without a process are about it too. */
function isOwn(strand: ClientRun, session: Sampled): boolean {
  const { alone, sessions, pids } = strand
  const pid = pidOf(session)
  return sessions.has(session.id) || (pid === undefined ? alone : pids.has(pid))
}

function pidOf({ id, pid }: Sampled): number | undefined {
  return id.startsWith(PROCESS) ? Number(id.slice(PROCESS.length)) : (pid ?? undefined)
}

/** Sessions in the daemon's list that were never a client of the run. */
export function ghostsIn(
  strands: readonly ClientRun[],
  lines: readonly RecordedLine[],
): readonly string[] {
  // Without any client's pid the sessions cannot be assigned.
  if (strands.every(({ pids }) => pids.size === 0)) return []
  const listed = samplesIn(lines).flatMap(({ sessions }) => (sessions ?? []) as Sampled[])
  const ghosts = listed.filter((session) => !strands.some((strand) => isOwn(strand, session)))
  return [...new Set(ghosts.map(({ id }) => id))]
}

function samplesIn(lines: readonly RecordedLine[]): readonly RecordedLine[] {
  return lines.filter(({ source, sessions }) => source === 'vigil' && sessions !== undefined)
}

const NOTHING: Told['verdict'] = { session: '', state: 'nothing', reason: 'no session is listed' }

/** The listed session that began last, as in `newestSession`. */
class Newest {
  /** In the order in which they began. */
  readonly #begun = new Set<string>()
  readonly #states = new Map<string, string>()
  #last = NOTHING

  of(listed: readonly Sampled[]): Told['verdict'] {
    for (const { id, state } of listed) {
      const before = this.#states.get(id)
      if (before === undefined || (before === 'closed' && state !== 'closed')) {
        this.#begun.delete(id)
        this.#begun.add(id)
      }
      this.#states.set(id, state)
    }
    const order = [...this.#begun]
    const newest = listed.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id)).at(-1)
    // A closed session need not be listed for ever.
    if (newest || this.#last.state !== 'closed') this.#last = newest ? verdictOf(newest) : NOTHING
    return this.#last
  }
}

function verdictOf({ id, state, for: kind, rule, reason }: Sampled): Told['verdict'] {
  return {
    session: id,
    state,
    ...(kind && { for: kind }),
    ...(rule && { rule }),
    ...(reason && { reason }),
  }
}
