import { describe, expect, it } from 'vitest'
import { Scene, screens } from '../../test/support/scene.ts'
import type { Facts } from './facts.ts'
import { judge } from './judge.ts'
import { nextLook } from './next-look.ts'
import { looksSame } from './react.ts'

const idle = () => new Scene({ pane: '%1' }).start().wait(1_000)
const working = () => idle().prompt()
const done = () => working().tool('Edit').wait(500).toolDone('Edit').wait(500).stop()
/** No source names a pid: there is no process to check. */
const noProcess = () => new Scene().typed('hi').wait(1_000).called('AskUserQuestion', 'tool-1')
const factsOf = (scene: Scene) => scene.sessions.facts(scene.session) as Facts
const lookIn = (scene: Scene) => (scene.nextLook() ?? Number.NaN) - scene.now

/** Each change that time alone brings: how long from now, and from what to what. */
const CHANGES: readonly [string, () => Scene, number, string, string][] = [
  ['silence', working, 120_001, 'working', 'stuck'],
  ['no evidence', noProcess, 1_800_001, 'waiting:question', 'unknown'],
  ['busy contradicted', () => endedUnder('busy'), 12_000, 'working', 'idle:work'],
  ['waiting contradicted', () => endedUnder('waiting'), 12_000, 'waiting:permission', 'idle:work'],
  [
    'a bare prompt',
    () => working().wait(500).screen(screens.working()).wait(500).screen(screens.prompt()),
    1_000,
    'working',
    'idle:interrupt',
  ],
  [
    'no successor',
    () => idle().hook('SessionEnd', { reason: 'clear' }),
    2_000,
    'idle:start',
    'closed',
  ],
]

function endedUnder(word: string): Scene {
  const scene = working().tool('Edit').wait(500).toolDone('Edit').wait(500)
  return scene
    .registry(word, word === 'waiting' ? 'permission prompt' : undefined)
    .wait(500)
    .stop()
}

describe('nextLook', () => {
  it.each(CHANGES)('[M6] %s: one ms before, and at the look', (_what, reach, ms, from, to) => {
    const scene = reach()
    expect(lookIn(scene)).toBe(ms)
    expect([scene.state(), scene.wait(ms - 1).state()]).toEqual([from, from])
    // Asking again returns the same appointment.
    expect(lookIn(scene)).toBe(1)
    expect(scene.wait(1).state()).toBe(to)
  })

  it('[M6] [A4] typing ends by time alone', () => {
    const scene = idle().key('x')
    expect(lookIn(scene)).toBe(3_000)
    expect(scene.wait(2_999).verdict().typing).toBe(true)
    expect(scene.wait(1).verdict().typing).toBe(false)
  })

  it('[M6] a key while working changes nothing later, so there is no look for it', () => {
    expect(lookIn(working().wait(1_000).key('x'))).toBe(119_001)
  })

  it.each(CHANGES)('[M6] %s: between two looks nothing changes', (_what, reach) => {
    const scene = reach()
    const facts = factsOf(scene)
    for (let from = scene.now, looks = 0; looks < 9; looks++) {
      const until = nextLook(facts, from) ?? from + 86_400_000
      const held = judge(facts, from)
      for (let part = 1; part <= 50; part++) {
        const at = Math.min(until - 1, from + Math.ceil(((until - from) * part) / 50))
        expect(looksSame(judge(facts, at), held)).toBe(true)
      }
      from = until
    }
  })

  it.each<[string, () => Scene]>([
    ['left', () => idle().hook('SessionEnd', { reason: 'other' })],
    ['dead', () => working().process(false)],
    ['dead while typing', () => idle().key('x').process(false)],
    ['cleared', () => idle().hook('SessionEnd', { reason: 'clear' }).wait(2_000)],
  ])('[M6] a closed session has none: %s', (_what, reach) => {
    const scene = reach()
    expect([scene.state(), scene.nextLook()]).toEqual(['closed', undefined])
  })

  it.each<[string, () => Scene]>([
    ['waiting', () => working().wait(500).asks('Bash')],
    ['error', () => working().wait(500).hook('StopFailure', { error: 'x' })],
    ['working', () => working().tool('Bash')],
    ['stuck', () => working().wait(120_001)],
    ['background', () => done().wait(500).registry('shell')],
  ])('[M6] what only a signal can change has none: %s', (state, reach) => {
    const scene = reach()
    expect([scene.verdict().state, scene.nextLook()]).toEqual([state, undefined])
  })

  it("[M6] [M3] an idle session's only look is when it is no longer fresh", () => {
    const scene = done()
    expect(lookIn(scene)).toBe(1_800_001)
    expect(lookIn(scene.wait(1_800_000))).toBe(1)
    expect(scene.wait(1).nextLook()).toBeUndefined()
    expect(scene.state()).toBe('idle:work')
  })
})
