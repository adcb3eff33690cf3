import { describe, expect, it } from 'vitest'
import { Scene } from '../../../test/support/scene.ts'
import { LOOP_GOES_ON_MS } from '../limits.ts'
import { react } from '../react.ts'
import type { LoopFacet } from '../signal.ts'

const working = () => new Scene().start().wait(1_000).prompt().wait(1_000)
const did = () => working().tool('Edit').wait(500).toolDone('Edit').wait(500)
const unread = (scene: Scene) => scene.verdict().unread

function told(scene: Scene, over: Partial<LoopFacet>): Scene {
  const loop = { state: 'ACTIVE', iteration: 3, max: 9, hold: null, until: null, ...over }
  return scene.report('loop', { session: scene.session, loop })
}

const NEEDS: readonly [string, Partial<LoopFacet>][] = [
  ['got stuck', { state: 'STUCK', hold: '9 of 9 iterations are used up' }],
  ['got stuck without a word', { state: 'STUCK' }],
  ['needs a human', { hold: 'no next item: gh: not logged in' }],
]

describe('a loop that', () => {
  it.each(NEEDS)('[LP86] %s makes its session unread until it was seen', (_, loop) => {
    // Idle after talk: without its loop it would not notify.
    const scene = told(working().stop().wait(10), loop)
    expect([scene.state(), unread(scene)]).toEqual(['idle:talk', true])
    expect(unread(scene.wait(600_000))).toBe(true)
    expect(unread(scene.look())).toBe(false)
    expect(unread(told(working(), loop).wait(10).process(false))).toBe(false)
  })

  it.each([
    ['is paused', { hold: 'paused: interrupted by you' }],
    ['waits', { hold: 'parked: rate_limit', until: 12 }],
    ['is running', {}],
  ])('[LP86] %s does not', (_, loop) => {
    expect(unread(told(working().stop().wait(10), loop).wait(60_000))).toBe(false)
  })

  it.each(NEEDS)('[LP86] %s calls, though its session calls already', (_, loop) => {
    const scene = did().stop().wait(2_000)
    const before = scene.verdict()
    const after = told(scene, loop).verdict()
    expect([before.unread, after.unread]).toEqual([true, true])
    const effects = react(before, after).map((effect) => effect.do)
    expect(effects).toEqual(['show', 'withdraw', 'notify'])
    const later = told(scene.wait(10), {}).verdict()
    expect(react(after, later).map((effect) => effect.do)).not.toContain('notify')
  })

  it('[LP84] got stuck is shown until it was seen and the session goes on', () => {
    const scene = told(working(), { state: 'STUCK' }).wait(10).stop()
    const note = '<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>'
    expect(scene.wait(1_000).prompt(note).verdict()).toMatchObject({ loop: { state: 'STUCK' } })
    expect(scene.wait(1_000).stop().verdict()).toMatchObject({ loop: { state: 'STUCK' } })
    expect(scene.wait(1_000).prompt('on').verdict()).not.toHaveProperty('loop')
    expect(scene.wait(1_000).stop().verdict()).not.toHaveProperty('loop')
  })

  it('[LP87] goes on notifies only when it leaves its session standing', () => {
    const scene = told(did(), {}).wait(10).stop()
    expect([scene.state(), unread(scene)]).toEqual(['idle:work', false])
    expect((scene.nextLook() ?? 0) - scene.now).toBe(LOOP_GOES_ON_MS)
    expect(unread(scene.wait(LOOP_GOES_ON_MS - 1))).toBe(false)
    expect(unread(scene.wait(1))).toBe(true)
    // While paused, it continues only when its user resumes it.
    expect(unread(told(did(), { hold: 'paused: by you' }).wait(10).stop())).toBe(true)
  })
})
