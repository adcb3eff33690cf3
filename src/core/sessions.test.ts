import { describe, expect, it } from 'vitest'
import { Scene, screens } from '../../test/support/scene.ts'

const AGENT = { agent_id: 'agent-a', agent_type: 'Explore' }
const LISTED = { background_tasks: [{ id: 'agent-a', type: 'subagent', status: 'running' }] }
const working = () => new Scene({ pane: '%1' }).start().wait(1_000).prompt().wait(1_000)
const second = (scene: Scene) => new Scene({ session: 'session-2', pane: '%1' }, scene)
const ids = (scene: Scene) => [...scene.sessions.ids()]

describe('/clear', () => {
  const cleared = () => working().stop().wait(2_000).hook('SessionEnd', { reason: 'clear' })

  it('[L1] the old session stands until its successor is there', () => {
    const scene = cleared().wait(100)
    expect(scene.state()).toBe('idle:talk')
    const after = second(scene).start('clear')
    expect(after.state()).toBe('idle:start')
    expect(after.verdict('session-1')).toMatchObject({ state: 'closed', rule: 'L1' })
  })

  it('[L1] without a successor it is closed 2 s later', () => {
    expect(cleared().wait(1_999).state()).toBe('idle:talk')
    expect(cleared().wait(2_000).verdict()).toMatchObject({ state: 'closed', rule: 'L1' })
  })

  it('[L1] both are one lineage, and so is the next one', () => {
    const after = second(cleared().wait(100)).start('clear').wait(5_000)
    const third = new Scene({ session: 'session-3', pane: '%1' }, after).start('clear')
    const { lineages } = third.sessions
    expect(['session-1', 'session-2', 'session-3'].map((id) => lineages.rootOf(id))).toEqual(
      Array(3).fill('session-1'),
    )
    expect(lineages.parentOf('session-3')).toBe('session-2')
    expect([after.state('session-2'), third.state()]).toEqual(['closed', 'idle:start'])
  })

  it('[L1] told only by transcript and process, it is the same', () => {
    const scene = new Scene().process(true).wait(500).typed('hi').wait(1_000).said('Hello.')
    expect(ids(scene)).toEqual(['session-1'])
    const clear = { message: { role: 'user', content: '<command-name>/clear</command-name>' } }
    const after = new Scene({ session: 'session-2' }, scene.wait(5_000))
    after.entry({ type: 'user', ...clear }).wait(500)
    expect(after.state('session-1')).toBe('closed')
    expect(after.state()).toBe('idle:start')
    expect(after.sessions.lineages.rootOf('session-2')).toBe('session-1')
    expect(after.wait(5_000).process(false).state()).toBe('closed')
  })

  it('[L1] the screen goes on with the successor', () => {
    const after = second(cleared().wait(100)).start('clear').wait(1_000)
    expect(after.screen(screens.working()).state()).toBe('working')
  })

  it('[L5] tasks survive it: they belong to the process', () => {
    const scene = working().hook('SubagentStart', AGENT).wait(1_000).stop(LISTED).wait(1_000)
    scene.hook('SessionEnd', { reason: 'clear' }).wait(100)
    const after = second(scene).start('clear').wait(1_000)
    expect(after.verdict()).toMatchObject({ state: 'background', tasks: [{ id: 'agent-a' }] })
    expect(after.hook('SubagentStop', AGENT).state()).toBe('idle:start')
  })

  it('[L5] what was over before it does not come back', () => {
    const scene = working().hook('SubagentStart', AGENT).wait(1_000).hook('SubagentStop', AGENT)
    const after = second(scene.wait(1_000).stop().wait(1_000)).start('clear').wait(1_000)
    expect(after.verdict()).toMatchObject({ state: 'idle', tasks: [] })
  })
})

describe('two sessions in one folder', () => {
  const both = () => {
    const one = working()
    const two = new Scene({ session: 'session-2', pid: 5_000, pane: '%2' }, one).start().wait(500)
    one.now = two.now
    return { one, two }
  }

  it("[L2] hooks never touch each other's session", () => {
    const { one, two } = both()
    const before = one.verdict()
    two.prompt().wait(500).tool('Bash').wait(500).asks('Bash').wait(500)
    expect(one.verdict()).toEqual(before)
    expect(two.state()).toBe('waiting:permission')
    one.wait(2_000).toolDone('Bash', 'tool-1').stop()
    expect([one.state(), two.state()]).toEqual(['idle:talk', 'waiting:permission'])
    expect(two.hook('SessionEnd', { reason: 'other' }).process(false).state()).toBe('closed')
    expect(one.state()).toBe('idle:talk')
  })

  it('[L2] nor are they kin', () => {
    const { two } = both()
    expect(two.sessions.lineages.rootOf('session-2')).toBe('session-2')
  })

  it('[L2] each has its own screen and its own process', () => {
    const { one, two } = both()
    expect(two.screen(screens.permission()).state()).toBe('waiting:permission')
    expect(one.state()).toBe('working')
    one.process(false)
    expect([one.state(), two.state()]).toEqual(['closed', 'waiting:permission'])
  })

  it('[L2] /clear in the one leaves the other, though no pid tells which it was', () => {
    const scene = new Scene().typed('hi').wait(500).said('Hello.').wait(1_000)
    const other = new Scene({ session: 'other' }, scene).typed('ho').wait(500).said('Hey.')
    const clear = { message: { role: 'user', content: '<command-name>/clear</command-name>' } }
    const third = new Scene({ session: 'session-3' }, other.wait(5_000))
    third.entry({ type: 'user', ...clear }).wait(500)
    expect([third.state('session-1'), third.state('other')]).toEqual(['idle:talk', 'idle:talk'])
    expect(third.sessions.lineages.rootOf('session-3')).toBe('session-3')
  })

  it('[L2] a session nested in a pane leaves the screen to the one around it', () => {
    const outer = working().tool('Bash').wait(500)
    const inner = new Scene({ session: 'nested', pid: 5_000, pane: '%1' }, outer).start().wait(500)
    inner.prompt('review').wait(500).screen(screens.permission())
    outer.now = inner.now
    expect([outer.state(), inner.state()]).toEqual(['waiting:permission', 'working'])
    inner.wait(500).process(false)
    expect([outer.state(), inner.state()]).toEqual(['waiting:permission', 'closed'])
  })
})

describe('a process', () => {
  it('[L3] speaks for one session at a time: the newest it named', () => {
    const one = working().registry('busy').wait(1_000)
    const two = second(one).registry('idle').wait(500)
    expect([two.state('session-1'), two.verdict().state]).toEqual(['closed', 'idle'])
    expect(two.sessions.lineages.parentOf('session-2')).toBe('session-1')
    expect(two.wait(500).process(false).state()).toBe('closed')
  })

  it('[L3] an older naming told late changes nothing of that', () => {
    const one = working().wait(5_000)
    const two = second(one).start('clear').wait(500)
    expect(one.registry('idle', undefined, 3_000).state('session-1')).toBe('closed')
    expect(two.wait(1_000).registryGone().state()).toBe('closed')
  })

  it('[L3] that got the pid of a dead one makes its session no kin', () => {
    const one = working().registry('busy').wait(1_000).process(false).wait(60_000)
    const two = second(one).start().wait(500)
    expect(two.sessions.lineages.rootOf('session-2')).toBe('session-2')
    expect([two.state('session-1'), two.state()]).toEqual(['closed', 'idle:start'])
  })
})

describe('a fork', () => {
  it('[L7] goes on from the session whose last turn it repeats', () => {
    const origin = new Scene({ session: 'origin', pid: 1 }).start().wait(1_000)
    origin.typed('do it', 0, { promptId: 'turn-1' }).said('Done.').wait(1_000).process(false)
    const fork = new Scene({ session: 'fork', pid: 2 }, origin).wait(5_000).start('fork')
    expect(fork.sessions.lineages.rootOf('fork')).toBe('fork')
    fork.wait(1_000).typed('do it', 7_000, { promptId: 'turn-1' })
    expect(fork.sessions.lineages.rootOf('fork')).toBe('origin')
    expect([fork.state('origin'), fork.state('fork')]).toEqual(['closed', 'idle:start'])
  })

  it('[L7] a turn of another folder makes no kin', () => {
    const origin = new Scene({ session: 'origin', pid: 1 }).start().wait(1_000)
    origin.typed('do it', 0, { promptId: 'turn-1' }).said('Done.').wait(1_000)
    const other = new Scene({ session: 'other', pid: 2, cwd: '/elsewhere' }, origin)
    other.typed('do it', 0, { promptId: 'turn-1' })
    expect(other.sessions.lineages.rootOf('other')).toBe('other')
  })
})
