import { describe, expect, it } from 'vitest'
import { Scene, screens } from '../../test/support/scene.ts'
import type { Happening, Source } from './signal.ts'

const AGENT = { agent_id: 'agent-a', agent_type: 'Explore' }
const working = () => new Scene({ pane: '%1' }).start().wait(1_000).prompt()

const take = (scene: Scene, happening: Happening, source: Source = 'keystroke') => {
  const about = { agent: 'claude', session: scene.session }
  scene.sessions.take({ ...happening, at: scene.now, source, about })
  return scene
}

describe('signs of life', () => {
  it.each<[string, (scene: Scene) => Scene]>([
    ['a hook', (scene) => scene.hook('Notification')],
    ['an entry', (scene) => scene.said('Well,', null)],
    ['a status line', (scene) => scene.statusline()],
    ['a screen', (scene) => scene.screen(screens.working())],
    ['a word', (scene) => scene.registry('busy')],
    ['waking up', (scene) => take(scene, { kind: 'woke' })],
  ])('[M1] [M2] %s makes stuck working again, for two minutes', (_what, live) => {
    const scene = live(working().wait(200_000))
    expect(scene.wait(120_000).state()).toBe('working')
    expect(scene.wait(1).state()).toBe('stuck')
  })

  it('[M1] the mere existence of a process is none', () => {
    expect(working().wait(100_000).process(true).wait(20_001).state()).toBe('stuck')
  })

  it('[M1] [A2] its user looking at it is none either: it is read, and still stuck', () => {
    const scene = working().wait(200_000)
    expect(scene.verdict()).toMatchObject({ state: 'stuck', unread: true })
    expect(scene.look().verdict()).toMatchObject({ state: 'stuck', unread: false })
    expect(scene.key('x').state()).toBe('stuck')
  })

  it('[M1] nor is it where the process was not known before', () => {
    const scene = new Scene().typed('do it').wait(200_000)
    expect(scene.state()).toBe('stuck')
    expect(scene.process(true).state()).toBe('stuck')
  })

  it('[M1] the machine slept: a working session wakes up working, and has two minutes', () => {
    const scene = working().wait(28_800_000)
    take(scene, { kind: 'woke' })
    expect(scene.state()).toBe('working')
    expect(scene.nextLook()).toBe(scene.now + 120_001)
  })
})

describe('silence', () => {
  it('[M2] of more than two minutes is stuck, of two minutes it is not', () => {
    const scene = working()
    const since = scene.now + 120_000
    expect(scene.wait(120_000).state()).toBe('working')
    expect(scene.wait(1).verdict()).toMatchObject({ state: 'stuck', rule: 'M2', since })
    expect(scene.wait(86_400_000).state()).toBe('stuck')
  })

  it.each<[string, (scene: Scene) => Scene, (scene: Scene) => Scene]>([
    ['a tool', (scene) => scene.tool('Bash'), (scene) => scene.toolDone('Bash')],
    [
      'a task',
      (scene) => scene.hook('SubagentStart', AGENT),
      (scene) => scene.hook('SubagentStop', AGENT),
    ],
    [
      'a compaction',
      (scene) => scene.hook('PreCompact', { trigger: 'auto' }),
      (scene) => scene.hook('PostCompact', { trigger: 'auto' }),
    ],
  ])('[M2] %s may be silent for as long as it runs, and no longer', (_what, begin, end) => {
    const scene = begin(working()).wait(7_200_000)
    expect(scene.state()).toBe('working')
    end(scene)
    expect(scene.wait(120_000).state()).toBe('working')
    expect(scene.wait(1).state()).toBe('stuck')
  })

  it('[M2] turns nothing but working into stuck', () => {
    const quiet = [
      working().wait(500).asks('Bash'),
      working().wait(500).stop(),
      working().wait(500).hook('StopFailure', { error: 'x' }),
    ]
    for (const scene of quiet) {
      const before = scene.state()
      expect(scene.wait(120_001).state()).toBe(before)
    }
  })

  it('[M4] of more than half an hour without a known process is unknown', () => {
    const scene = new Scene().typed('hi').wait(1_000).said('Hello.')
    expect(scene.wait(1_800_000).state()).toBe('idle:talk')
    expect(scene.wait(1).verdict()).toMatchObject({ state: 'unknown', rule: 'M4' })
    // The next sign of life is evidence again.
    expect(scene.statusline().state()).toBe('idle:talk')
  })

  it('[M4] with a known process it is not', () => {
    expect(working().wait(500).stop().wait(86_400_000).state()).toBe('idle:talk')
    const found = new Scene().typed('hi').wait(1_000).said('Hello.').wait(1_000).process(true)
    expect(found.wait(1_800_001).state()).toBe('idle:talk')
  })
})
