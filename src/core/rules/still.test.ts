import { describe, expect, it } from 'vitest'
import { allRecordings, withoutStatus } from '../../../test/support/recordings.ts'
import { wantedEvents } from '../../agents/claude/events.ts'
import { translateClaude } from '../../agents/claude/translate.ts'
import { fields } from '../../agents/read.ts'
import { reportsOf } from '../../recording/read.ts'
import type { Report } from '../signal.ts'
import { Tracker } from '../tracker.ts'
import { standsStillAt } from './still.ts'

const SHORT_SET = new Set<unknown>(wantedEvents('2.1.325'))
/** Their clients write no status. */
const OLDER = new Set(['old_bash_approve', 'oldest_bash_approve'])
const RUNS = allRecordings()
  .filter(({ name }) => !OLDER.has(name))
  .map((recording) => reportsOf(recording).filter(isInstalled))

function isInstalled({ source, payload }: Report): boolean {
  return source !== 'hook' || SHORT_SET.has(fields(payload).hook_event_name)
}

/** Whether a status is seen to stand still at any moment of a run, or a minute after it. */
function standsStill(reports: readonly Report[]): boolean {
  const { sessions, ...tracker } = playable()
  const isStill = (now: number) =>
    [...sessions.ids()].some((id) => {
      const facts = sessions.facts(id)
      return facts !== undefined && standsStillAt(facts) <= now
    })
  for (const report of reports) {
    if (isStill(report.t)) return true
    tracker.take(report)
  }
  return isStill((reports.at(-1)?.t ?? 0) + 60_000)
}

function playable() {
  const tracker = new Tracker(translateClaude)
  return { sessions: tracker.sessions, take: (report: Report) => tracker.take(report) }
}

describe('a status that stands still', () => {
  it('[R7] is seen in no recording of a client that writes it', () => {
    expect(RUNS.filter(standsStill)).toEqual([])
  })

  it('[R7] is seen wherever a turn ends and the client never writes one', () => {
    const found = RUNS.filter((reports) => standsStill(withoutStatus(reports, 'none')))
    expect(found.length).toBeGreaterThan(130)
  })

  it('[R7] is seen where it changes no more after the first one', () => {
    const found = RUNS.filter((reports) => standsStill(withoutStatus(reports, 'first')))
    expect(found.length).toBeGreaterThan(100)
  })
})
