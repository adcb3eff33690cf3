import { translate } from '../../agents/index.ts'
import { judge } from '../../core/judge.ts'
import { Tracker } from '../../core/tracker.ts'
import type { Session } from '../../protocol/session.ts'
import { sessionOf } from '../../protocol/session-of.ts'
import type { Tape } from './tape.ts'

/** No daemon: no session of it can be addressed. */
const DEMO = { machine: 'demo', host: 'demo' }

/** The sessions as the tape leaves them. */
export function sessionsAtEnd({ reports, endedAt }: Tape): readonly Session[] {
  const { sessions } = trackerOf(reports)
  return [...sessions.ids()].flatMap((id) => {
    const facts = sessions.facts(id)
    if (!facts) return []
    const belongings = { lineage: id, parent: undefined, live: true, asks: [] }
    return [sessionOf(facts, judge(facts, endedAt), { ...DEMO, ...belongings })]
  })
}

function trackerOf(reports: Tape['reports']): Tracker {
  const tracker = new Tracker(translate)
  for (const report of reports) {
    tracker.runTo(report.t)
    tracker.take(report)
  }
  return tracker
}
