import { translate } from '../../agents/index.ts'
import { judge } from '../../core/judge.ts'
import { Tracker } from '../../core/tracker.ts'
import type { Session } from '../../protocol/session.ts'
import { sessionOf } from '../../protocol/session-of.ts'
import { beatReports, castOf, opened } from './beats.ts'
import type { DemoRole } from './story.ts'

/** There is no daemon, so no session has an address. */
const DEMO = { machine: 'demo', host: 'demo' }

/** The sessions at the beginning of the demo. */
export function firstPicture(roles: readonly DemoRole[], now: number): readonly Session[] {
  const { sessions } = trackerOf(roles, now)
  return [...sessions.ids()].flatMap((id) => {
    const facts = sessions.facts(id)
    if (!facts) return []
    const belongings = { lineage: id, parent: undefined, live: true, asks: [] }
    return [sessionOf(facts, judge(facts, now), { ...DEMO, ...belongings })]
  })
}

function trackerOf(roles: readonly DemoRole[], now: number): Tracker {
  const tracker = new Tracker(translate)
  const reports = roles.flatMap((role, number) => {
    const session = castOf(role, number, '/demo')
    return opened(role, now).past.flatMap(({ beat, at }) => beatReports(session, role, beat, at))
  })
  for (const report of reports.toSorted((a, b) => a.t - b.t)) {
    tracker.runTo(report.t)
    tracker.take(report)
  }
  return tracker
}
