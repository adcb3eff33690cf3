import { describe, expect, it } from 'vitest'
import { OWN_MACHINE } from '../../test/support/machines.ts'
import { Scene } from '../../test/support/scene.ts'
import { sessionOf } from '../protocol/session-of.ts'
import { timeOfDay } from '../view/loop.ts'
import { shapeOf } from '../view/shape.ts'
import { ToolTimes } from './tool-times.ts'

const HOUR_MS = 3_600_000

/** A session with this many calls of a tool, each this long, and one still running. */
function calling(count: number, eachMs: number, thenMs: number): Scene {
  const scene = new Scene().start().process(true).prompt()
  for (let call = 0; call < count; call++)
    scene.wait(100).tool('Bash').wait(eachMs).toolDone('Bash')
  return scene.wait(100).tool('Bash').wait(thenMs)
}

function shown(scene: Scene, times = new ToolTimes()) {
  const facts = scene.sessions.facts(scene.session)
  if (!facts) throw new Error('nothing is known')
  const verdict = scene.verdict()
  const usualMs = times.usualMs(facts, verdict.doing)
  const context = {
    machine: OWN_MACHINE,
    host: 'here',
    lineage: 'x',
    parent: undefined,
    live: true,
  }
  return shapeOf(sessionOf(facts, verdict, { ...context, usualMs }), scene.now, timeOfDay)
}

describe('a tool that runs', () => {
  it('[VW30] far longer than usual is said to be unusually long, and works as before', () => {
    const { what, word, needs } = shown(calling(5, 40_000, 2 * HOUR_MS))
    expect(what).toMatch(/^unusually long: Bash 2 h, usually 40 s in this folder · /)
    expect([word, needs]).toEqual(['working: Bash', false])
  })

  it.each([
    ['ten minutes', 5, 1_000, 600_000],
    ['ten times as long', 5, 720_000, 2 * HOUR_MS],
    ['hours, of which too little is known', 4, 1_000, 2 * HOUR_MS],
  ])('[VW30] for %s is not', (_, count, eachMs, thenMs) => {
    expect(shown(calling(count, eachMs, thenMs)).what).not.toContain('unusually')
  })

  it('[VW30] is compared with the last calls in its own folder', () => {
    const times = new ToolTimes()
    const fresh = calling(0, 0, 2 * HOUR_MS)
    expect(shown(calling(5, 40_000, 1), times).what).not.toContain('unusually')
    expect(shown(fresh, times).what).toContain(
      'unusually long: Bash 2 h, usually 40 s in this folder',
    )
    const elsewhere = new Scene({ cwd: '/srv/elsewhere' }).start().process(true).prompt()
    expect(shown(elsewhere.tool('Bash').wait(2 * HOUR_MS), times).what).not.toContain('unusually')
  })
})
