import { describe, expect, it } from 'vitest'
import { Scene } from '../../test/support/scene.ts'
import { translateClaude } from '../agents/claude/translate.ts'
import { EVIDENCE_MAX_MS, SILENCE_MAX_MS } from '../core/limits.ts'
import type { Report } from '../core/signal.ts'
import { type Change, Tracker } from '../core/tracker.ts'
import { play } from './play.ts'

/** The first moment at which silence has lasted too long. */
const STUCK_MS = SILENCE_MAX_MS + 1
const HOUR_MS = 3_600_000

/** `session state` with the time from `begin` on. */
function told(changes: Iterable<Change>, begin: number): [number, string][] {
  return [...changes].map(({ t, verdict }) => [t - begin, `${verdict.session} ${verdict.state}`])
}

/** A session that began at `begin` and got a prompt a second later, and nothing since. */
function silent(session = 'a', pid = 1, beside?: Scene): Scene {
  return new Scene({ session, pid }, beside).start().wait(1000).prompt()
}

function reportsOf(...scenes: Scene[]): Report[] {
  return scenes.flatMap(({ reports }) => reports).toSorted((a, b) => a.t - b.t)
}

describe('play', () => {
  it('gives every change at the arrival of its report', () => {
    const scene = silent().wait(2000)
    const begin = scene.now - 3000
    scene.tool('Bash').wait(50).asks('Bash').wait(4000).toolDone('Bash').wait(100).stop()
    const changes = [...play(scene.reports, scene.now + 1)]
    expect(told(changes, begin).slice(-4)).toEqual([
      [1000, 'a working'],
      [3050, 'a waiting'],
      [7050, 'a working'],
      [7150, 'a idle'],
    ])
  })

  it('gives no change where a report says nothing new', () => {
    const scene = silent()
    const before = [...play(scene.reports, scene.now + 1)].length
    scene.wait(10).hook('Notification').statusline().tool('Read')
    expect([...play(scene.reports, scene.now + 1)]).toHaveLength(before)
  })

  it('gives nothing for nothing', () => {
    expect([...play([], HOUR_MS)]).toEqual([])
  })
})

describe('appointments', () => {
  it('are kept after the last report, at exactly their time', () => {
    const scene = silent()
    const last = told(play(scene.reports, scene.now + HOUR_MS), scene.now).at(-1)
    expect(last).toEqual([STUCK_MS, 'a stuck'])
  })

  it('are not kept past the end', () => {
    const scene = silent()
    const changes = play(scene.reports, scene.now + STUCK_MS - 1)
    expect(told(changes, scene.now).at(-1)).toEqual([0, 'a working'])
  })

  it('are kept between two reports', () => {
    const scene = silent()
    const begin = scene.now
    scene.wait(STUCK_MS + 5000).tool('Bash')
    expect(told(play(scene.reports, scene.now + 1), begin).slice(-2)).toEqual([
      [STUCK_MS, 'a stuck'],
      [STUCK_MS + 5000, 'a working'],
    ])
  })

  it('come after a report of the same moment', () => {
    const scene = silent()
    scene.wait(STUCK_MS).statusline()
    const states = told(play(scene.reports, scene.now + 1), scene.now).map(([, state]) => state)
    expect(states).not.toContain('a stuck')
  })

  it('are kept one after the other', () => {
    // A transcript names no process to check: silence makes it stuck first, then unknown.
    const scene = new Scene({ session: 'a' }).typed('do it')
    expect(told(play(scene.reports, scene.now + HOUR_MS), scene.now)).toEqual([
      [0, 'a working'],
      [STUCK_MS, 'a stuck'],
      [EVIDENCE_MAX_MS + 1, 'a unknown'],
    ])
  })

  it('are kept by their time, not by which session was there first', () => {
    const a = silent('a', 1)
    const begin = a.now
    const b = silent('b', 2, a)
    a.wait(2000).statusline()
    const changes = told(play(reportsOf(a, b), begin + STUCK_MS + 3000), begin)
    expect(changes.slice(-2)).toEqual([
      [STUCK_MS + 1000, 'b stuck'],
      [STUCK_MS + 2000, 'a stuck'],
    ])
  })

  it('of all sessions are kept in the order of their times', () => {
    const a = silent('a', 1)
    const begin = a.now
    const b = silent('b', 2, a)
    a.now = begin + STUCK_MS + 500
    const c = silent('c', 3, a)
    const changes = told(play(reportsOf(a, b, c), begin + STUCK_MS + 3000), begin)
    expect(changes.slice(-4)).toEqual([
      [STUCK_MS, 'a stuck'],
      [STUCK_MS + 500, 'c idle'],
      [STUCK_MS + 1000, 'b stuck'],
      [STUCK_MS + 1500, 'c working'],
    ])
    expect(changes).toEqual(changes.toSorted(([t], [u]) => t - u))
  })
})

describe('a player', () => {
  const prompt = new Scene({ session: 'a' }).prompt()
  const [report] = prompt.reports as [Report]

  it('takes a report that arrives when it is written', () => {
    expect(told(new Tracker(translateClaude).take(report), report.t)).toEqual([[0, 'a working']])
  })

  it('takes one that arrives later: the change is now, what it tells was then', () => {
    const [change] = new Tracker(translateClaude).take(report, report.t + 3000)
    expect(change?.t).toBe(report.t + 3000)
    expect(change?.verdict).toMatchObject({ state: 'working', since: report.t })
  })

  it('makes its appointments from when it was written, not from when it arrived', () => {
    const player = new Tracker(translateClaude)
    player.take(report, report.t + 3000)
    expect(told(player.runTo(report.t + STUCK_MS), report.t)).toEqual([])
    expect(told(player.runTo(report.t + STUCK_MS + 1), report.t)).toEqual([[STUCK_MS, 'a stuck']])
  })

  it('judges by the time of arrival what came far too late', () => {
    const late = new Tracker(translateClaude).take(report, report.t + STUCK_MS + 700)
    expect(told(late, report.t)).toEqual([[STUCK_MS + 700, 'a stuck']])
  })

  it('keeps each appointment once', () => {
    const player = new Tracker(translateClaude)
    player.take(report)
    expect(player.runTo(report.t + HOUR_MS / 4)).toHaveLength(1)
    expect(player.runTo(report.t + HOUR_MS / 4)).toEqual([])
  })
})
