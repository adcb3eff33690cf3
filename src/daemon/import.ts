import { translate } from '../agents/index.ts'
import { judge } from '../core/judge.ts'
import type { Report } from '../core/signal.ts'
import { Tracker } from '../core/tracker.ts'
import type { Session } from '../protocol/session.ts'
import { sessionOf } from '../protocol/session-of.ts'
import type { Commit, LoggedChange, NewReport } from '../store/store.ts'
import type { ChangeFeed } from './feed.ts'
import { sessionRowOf } from './row.ts'
import { trim } from './trim.ts'

/** How far past its last line a recording is played, as in `vigil replay`. */
const TAIL_MS = 20_000

interface Imported {
  readonly name: string
  readonly lines: readonly Report[]
  /** The machine whose log it becomes part of. */
  readonly machine: string
}

interface Log {
  commit(commit: Commit): void
}

/**
 * Adds a recording to the log under its own host, so that `why`, history and reports work on it as
 * on any other session. It is played apart from the live sessions: its pids and panes are those of
 * another machine.
 */
export function importRecording(
  log: Log,
  feed: ChangeFeed,
  { name, lines, machine }: Imported,
): readonly string[] {
  const tracker = new Tracker(translate)
  const prefix = `${name}/`
  const reports: NewReport[] = []
  const changes: LoggedChange[] = []
  const note = (said: ReturnType<Tracker['take']>) => {
    for (const { t, verdict } of said) {
      const session = prefix + verdict.session
      const id = feed.nextId()
      changes.push({ id, t, session, kind: 'past', verdict: { ...verdict, session } })
    }
  }
  for (const line of lines) {
    note(tracker.runTo(line.t))
    const report = trim(line)
    const ids = tracker.learn(report)
    note(tracker.judge(ids, line.t))
    const [session] = ids
    const about = session === undefined ? undefined : prefix + session
    reports.push({ report, session: about, key: undefined })
  }
  const endAt = (lines.at(-1)?.t ?? 0) + TAIL_MS
  note(tracker.runTo(endAt))
  const renamed = tracker
    .takeGone()
    .flatMap(({ id, became }) => (became ? { from: prefix + id, to: prefix + became } : []))
  const sessions = [...tracker.sessions.ids()].map((id) =>
    imported(tracker, id, { name, machine, endAt }),
  )
  const rows = sessions.map((session) => sessionRowOf(session, endAt))
  log.commit({ reports, changes, sessions: rows, cursors: [], renamed })
  feed.publish(changes)
  return sessions.map(({ id }) => id)
}

function imported(
  tracker: Tracker,
  id: string,
  { name, machine, endAt }: { name: string; machine: string; endAt: number },
): Session {
  const facts = tracker.sessions.facts(id)
  if (!facts) throw new Error(`${name}: session ${id} disappeared while it was imported`)
  const { lineages } = tracker.sessions
  const parent = lineages.parentOf(id)
  const session = sessionOf(facts, judge(facts, endAt), {
    machine,
    host: name,
    lineage: `${name}/${lineages.rootOf(id)}`,
    parent: parent === undefined ? undefined : `${name}/${parent}`,
    live: false,
  })
  return { ...session, id: `${name}/${id}` }
}
