import { describe, expect, it } from 'vitest'
import { Scene, screens } from '../../../test/support/scene.ts'

const idle = () => new Scene({ pane: '%1' }).start().wait(1_000)
const working = () => idle().prompt().wait(1_000).tool('Bash').wait(500)
const left = () => working().hook('SessionEnd', { reason: 'other' })

describe('the end of a session', () => {
  it.each<[string, () => Scene]>([
    ['idle', idle],
    ['working', working],
    ['waiting', () => working().asks('Bash')],
    ['called busy', () => working().registry('busy')],
    ['in error', () => working().hook('StopFailure', { error: 'x' })],
  ])('[C1] the death of its process closes it when %s', (_what, reach) => {
    const scene = reach().wait(500).process(false)
    const since = scene.now
    const closed = { state: 'closed', rule: 'C1', how: 'killed', since, typing: false, tasks: [] }
    expect(scene.verdict()).toMatchObject(closed)
    expect(scene.wait(86_400_000).verdict()).toMatchObject(closed)
  })

  it.each<[string, (scene: Scene) => Scene]>([
    ['a word', (scene) => scene.registry('busy')],
    ['an entry', (scene) => scene.said('Well,', null)],
    ['a screen', (scene) => scene.screen(screens.working())],
    ['keys', (scene) => scene.key('x')],
  ])('[C1] whatever else is said: %s', (_what, say) => {
    expect(say(working().registry('busy').process(false).wait(500)).state()).toBe('closed')
  })

  it('[C2] SessionEnd closes it and says how', () => {
    const closed = { state: 'closed', rule: 'C2', how: 'exit' }
    const scene = working().hook('SessionEnd', { reason: 'prompt_input_exit' })
    expect(scene.verdict()).toMatchObject(closed)
    expect(scene.wait(500).process(false).verdict()).toMatchObject({ how: 'exit' })
  })

  it('[C2] so does the removal of its registry file', () => {
    const scene = idle().registry('idle').wait(1_000).registryGone()
    expect(scene.verdict()).toMatchObject({ state: 'closed', rule: 'C2', how: 'exit' })
  })
})

describe('a process', () => {
  const known = () => working().registry('busy').wait(1_000)

  it('[C3] a pid in the hands of another program closes the session', () => {
    expect(known().process(true).state()).toBe('working')
    const scene = known().process(true, '200', 'vim')
    expect(scene.verdict()).toMatchObject({ state: 'closed', rule: 'C3', how: 'killed' })
    // No start time to compare: the program decides.
    const unknown = working().report('process', { pid: 4711, alive: true, command: 'vim' })
    expect(unknown.state()).toBe('closed')
  })

  it('[C3] a pid in the hands of another client closes it too', () => {
    expect(known().process(true, '200', 'claude').state()).toBe('closed')
  })

  it("[C3] another process's death does not", () => {
    expect(known().process(false, '100', 'claude', 9_999).state()).toBe('working')
    expect(known().process(false, '50').state()).toBe('working')
  })

  it('[C3] the death of the pid in other hands, long after, changes nothing', () => {
    const scene = known().process(true, '200', 'vim').wait(60_000).process(false, '200', 'vim')
    expect(scene.state()).toBe('closed')
  })

  it('[C4] a registry file left behind does not keep the session open', () => {
    const scene = known().process(false).wait(1_000)
    // Read once more: the content is the same.
    expect(scene.registry('busy', undefined, 2_000).state()).toBe('closed')
  })

  it('[C4] nor does it when the death went unseen and the pid was reused', () => {
    const scene = new Scene().registry('busy', undefined, 3_600_000).process(true, '200', 'vim')
    expect(scene.verdict()).toMatchObject({ state: 'closed', rule: 'C3' })
  })

  it('[C4] nor when another client has got that pid', () => {
    const scene = new Scene().registry('busy', undefined, 3_600_000).process(true, '200')
    expect(scene.state()).toBe('closed')
  })

  it('[C4] nor when the death was seen and the pid then given away', () => {
    const scene = known().process(false).wait(60_000).process(true, '200', 'vim')
    expect(scene.registry('busy', undefined, 61_000).state()).toBe('closed')
  })
})

describe('a closed session', () => {
  it.each<[string, (scene: Scene) => Scene, string]>([
    ['SessionStart', (scene) => scene.start('resume'), 'idle:start'],
    ['a typed prompt', (scene) => scene.prompt('one more'), 'working'],
    ['a newer word', (scene) => scene.registry('busy'), 'working'],
  ])('[C5] comes back by %s', (_what, back, state) => {
    expect(back(left().wait(5_000)).state()).toBe(state)
  })

  const LATE: readonly [string, (scene: Scene) => Scene][] = [
    ['PreToolUse', (scene) => scene.tool('Bash')],
    ['PostToolUse', (scene) => scene.toolDone('Bash', 'tool-1')],
    ['PostToolBatch', (scene) => scene.hook('PostToolBatch')],
    ['PermissionRequest', (scene) => scene.asks('Bash')],
    ['Stop', (scene) => scene.stop()],
    ['SubagentStop', (scene) => scene.hook('SubagentStop', { agent_id: 'a', agent_type: 'b' })],
    ['a Notification', (scene) => scene.hook('Notification')],
    ['an entry', (scene) => scene.answered('tool-1')],
    ['a status line', (scene) => scene.statusline()],
  ]
  it.each(LATE)('[C5] does not come back by a late %s', (_what, late) => {
    expect(late(left().wait(500)).state()).toBe('closed')
    expect(late(left().wait(5_000)).state()).toBe('closed')
  })

  it.each(LATE)('[C5] nor does a dead one, %s in flight', (_what, late) => {
    expect(late(working().process(false).wait(500)).state()).toBe('closed')
    const known = working().registry('busy').process(false).wait(5_000)
    expect(late(known).state()).toBe('closed')
  })

  it('[C5] nor by a hook written seconds after the death, where only hooks told the pid', () => {
    const dead = () => working().process(false).wait(5_000)
    expect(dead().toolDone('Bash', 'tool-1').state()).toBe('closed')
    expect(dead().start('resume').state()).toBe('idle:start')
  })

  it("[C5] nor by a task's notice: the user did not type it", () => {
    const notice = '<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>'
    expect(left().wait(1_000).prompt(notice).state()).toBe('closed')
  })

  it('[C5] comes back by another process', () => {
    const scene = left().wait(5_000)
    const again = new Scene({ pid: 5_000, pane: '%1' }, scene).hook('Notification')
    expect(again.state()).toBe('idle:start')
  })
})

describe('a session resumed', () => {
  it('[C6] in a new process reopens under its old id', () => {
    const scene = working().process(false).wait(5_000)
    const again = new Scene({ pid: 5_000, pane: '%2' }, scene).start('resume').wait(500)
    expect(again.state()).toBe('idle:start')
    expect([...again.sessions.ids()]).toEqual(['session-1'])
    expect(again.prompt('go on').state()).toBe('working')
    expect(again.wait(500).process(false).state()).toBe('closed')
  })

  it('[C6] [C3] the old process, dying only now, touches nothing of the new one', () => {
    const again = new Scene({ pid: 5_000 }, working().wait(5_000)).start('resume').wait(500)
    expect(again.prompt('go on').wait(500).state()).toBe('working')
    expect(again.process(false, '100', 'claude', 4_711).state()).toBe('working')
  })

  it('[C6] the last word of the old process is not the word of the new one', () => {
    const scene = working().registry('busy').wait(500).process(false).wait(5_000)
    const again = new Scene({ pid: 5_000 }, scene).start('resume').wait(500)
    expect(again.state()).toBe('idle:start')
    expect(again.registry('busy').state()).toBe('working')
  })

  it('[C6] nothing of its turns, requests and tasks outlived the old process', () => {
    const agent = { agent_id: 'agent-a', agent_type: 'Explore' }
    const scene = working().hook('SubagentStart', agent).wait(500).asks('Bash').wait(500)
    scene.process(false).wait(5_000)
    const again = new Scene({ pid: 5_000 }, scene).start('resume').wait(500)
    expect(again.verdict()).toMatchObject({ state: 'idle', after: 'start', tasks: [] })
  })

  it('[C6] in a process that got the same pid, by its start time', () => {
    const scene = working().registry('busy').wait(500).process(false, '100').wait(5_000)
    const file = { pid: 4711, sessionId: 'session-1', procStart: '200', status: 'idle' }
    const word = { ...file, statusUpdatedAt: scene.now }
    expect(scene.report('registry', { pid: 4711, file: word }).verdict().state).toBe('idle')
    expect(scene.wait(500).process(true, '200').verdict().state).toBe('idle')
  })
})
