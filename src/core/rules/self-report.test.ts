import { describe, expect, it } from 'vitest'
import { Scene, screens } from '../../../test/support/scene.ts'

const AGENT = { agent_id: 'agent-a', agent_type: 'Explore' }
const LISTED = { background_tasks: [{ id: 'agent-a', type: 'subagent', status: 'running' }] }
const idle = () => new Scene({ pane: '%1' }).start().wait(1_000)
const working = () => idle().prompt().wait(1_000)
const asking = (tool: string) => working().tool(tool).wait(500).asks(tool).wait(500)
const done = () => working().tool('Edit').wait(500).toolDone('Edit').wait(500).stop().wait(1_000)
const PROMPT = 'permission prompt'

describe("the client's word", () => {
  it.each([
    ['busy', 'working'],
    ['waiting', 'waiting:permission'],
    ['shell', 'background'],
  ])('[R1] %s decides over a turn that hooks and transcript call over', (status, state) => {
    expect(done().said('Done.', 'end_turn', 1_000).registry(status).state()).toBe(state)
  })

  it('[R1] idle decides over an open turn, an open request and the screen', () => {
    expect(working().registry('idle').state()).toBe('idle:interrupt')
    expect(asking('Bash').registry('idle').verdict().state).toBe('idle')
    expect(done().registry('idle').wait(1_000).screen(screens.working()).state()).toBe('idle:work')
    const fresh = idle().registry('idle').wait(1_000).screen(screens.working())
    expect(fresh.state()).toBe('idle:start')
  })

  it('[R1] only the death of its process is stronger', () => {
    expect(working().registry('busy').wait(1_000).process(false).state()).toBe('closed')
  })

  it('[R1] a status not known decides nothing', () => {
    expect(working().registry('dreaming').state()).toBe('working')
    expect(done().registry('dreaming').state()).toBe('idle:work')
  })

  it.each(['idle', 'shell', 'waiting'])('[R2] a prompt newer than %s wins at once', (status) => {
    const scene = done().registry(status).wait(1_000).prompt('next')
    expect(scene.verdict()).toMatchObject({ state: 'working', rule: 'T1' })
  })

  it.each(['idle', 'shell', 'busy'])('[R2] a request newer than %s wins at once', (status) => {
    const scene = done().registry(status).wait(1_000).asks('Bash')
    expect(scene.verdict()).toMatchObject({ state: 'waiting', rule: 'W1' })
  })

  it('[R2] a prompt older than the word does not', () => {
    expect(working().registry('idle', undefined, 500).wait(60_000).state()).toBe('idle:interrupt')
  })
})

describe('the tool that was asked about', () => {
  const answered = () => asking('Bash').registry('waiting', PROMPT).wait(1_000)

  it.each<[string, (scene: Scene) => Scene]>([
    ['its hook tells', (scene) => scene.toolDone('Bash')],
    ['the transcript tells', (scene) => scene.answered('tool-1')],
  ])('[R6] has ended: an older word waiting is over at once, as %s', (_who, end) => {
    const scene = answered()
    expect(scene.state()).toBe('waiting:permission')
    expect(end(scene).verdict()).toMatchObject({ state: 'working', rule: 'T1' })
  })

  it('[R6] has ended, and a newer word says that the client waits again', () => {
    expect(answered().toolDone('Bash').registry('waiting', PROMPT).state()).toBe(
      'waiting:permission',
    )
  })

  it('[R6] has ended, and another request is still open', () => {
    const scene = answered().tool('Write').asks('Write').wait(500).toolDone('Bash', 'tool-1')
    expect(scene.verdict()).toMatchObject({ state: 'waiting', request: { tool: 'Write' } })
  })

  it('[R6] was allowed before the client was busy: its end says nothing about the next', () => {
    const scene = answered().registry('busy').wait(1_000).registry('waiting', PROMPT).wait(1_000)
    expect(scene.toolDone('Bash').state()).toBe('waiting:permission')
  })
})

describe('a permission whose request is not told yet', () => {
  const begun = () =>
    working()
      .tool('Bash', { tool_input: { command: 'make' } })
      .wait(100)
  const request = { tool: 'Bash', text: 'make' }

  it('[W12] is about the one open tool, by the word as by the screen', () => {
    expect(begun().registry('waiting', PROMPT).verdict()).toMatchObject({ rule: 'W10', request })
    const screen = begun().screen(screens.permission()).verdict()
    expect(screen).toMatchObject({ rule: 'W9', request })
  })

  it('[W12] is about none that is known while several are open', () => {
    const several = begun().tool('Write').registry('waiting', PROMPT).verdict()
    expect(several).toMatchObject({ state: 'waiting' })
    expect(several.request).toBeUndefined()
  })

  it('[W12] gives way to the request itself', () => {
    const scene = begun().registry('waiting', PROMPT).wait(50)
    scene.asks('Bash', { tool_input: { command: 'make' } })
    expect(scene.verdict().request).toMatchObject({ ...request, at: scene.now })
  })

  it('[W12] a dialog that is no permission is not about a tool', () => {
    expect(begun().registry('waiting', 'dialog open').verdict().request).toBeUndefined()
  })
})

describe('an end of turn newer than busy', () => {
  const ended = () => working().tool('Edit').registry('busy').wait(1_000).stop()

  it.each<[string, () => Scene, string]>([
    ['Stop', ended, 'idle:work'],
    ['an interrupt', () => working().registry('busy').wait(1_000).interrupted(), 'idle:interrupt'],
    [
      'StopFailure',
      () => working().registry('busy').wait(1_000).hook('StopFailure', { error: 'x' }),
      'error',
    ],
  ])('[R3] [M5] %s counts 12 s later, not sooner', (_what, reach, state) => {
    const scene = reach()
    expect(scene.state()).toBe('working')
    expect(scene.wait(11_999).state()).toBe('working')
    expect(scene.wait(1).state()).toBe(state)
  })

  it('[R3] the word that follows decides at once', () => {
    expect(ended().wait(300).registry('idle').state()).toBe('idle:work')
    expect(ended().wait(5_000).registry('busy').wait(60_000).state()).toBe('working')
  })

  it('[R3] it never counts while the spinner stands', () => {
    const scene = ended().wait(5_000).screen(screens.working()).wait(60_000)
    expect(scene.state()).toBe('working')
  })
})

describe('what contradicts waiting', () => {
  const waits = () => working().registry('waiting', PROMPT).wait(1_000)

  it.each<[string, (scene: Scene) => Scene, string]>([
    ['a Stop', (scene) => scene.stop(), 'idle:talk'],
    ['Esc', (scene) => scene.interrupted(), 'idle:interrupt'],
    ['a batch', (scene) => scene.wait(2_000).hook('PostToolBatch'), 'working'],
    ['output', (scene) => scene.wait(2_000).said('Well,', null), 'working'],
  ])('[M5] %s ends it 12 s later, not sooner', (_what, happen, state) => {
    const scene = happen(waits())
    expect(scene.state()).toBe('waiting:permission')
    expect(scene.wait(11_999).state()).toBe('waiting:permission')
    expect(scene.wait(1).state()).toBe(state)
  })

  it('[M5] output hardly later than the word may be the message that asks', () => {
    expect(waits().said('May I?', null).wait(60_000).state()).toBe('waiting:permission')
  })

  it("[M5] a subagent's dialog is not contradicted by the main agent", () => {
    const scene = working().hook('SubagentStart', AGENT).wait(500).registry('waiting', PROMPT)
    expect(scene.wait(1_000).stop(LISTED).wait(60_000).state()).toBe('waiting:permission')
  })
})

describe('busy and shell', () => {
  it('[R4] busy is working', () => {
    const scene = idle().registry('busy')
    expect(scene.verdict()).toMatchObject({ state: 'working', rule: 'R4', since: scene.now })
  })

  it('[R4] busy is background when the turn is over and tasks still run', () => {
    const scene = working().hook('SubagentStart', AGENT).wait(500)
    expect(scene.registry('busy').state()).toBe('working')
    expect(scene.wait(500).stop(LISTED).wait(500).state()).toBe('background')
    expect(scene.registry('busy').wait(60_000).state()).toBe('background')
  })

  it('[B3] shell is background', () => {
    expect(done().registry('shell').verdict()).toMatchObject({ state: 'background', rule: 'B3' })
    expect(working().registry('shell').state()).toBe('background')
  })
})

describe('idle', () => {
  it('[R5] is idle also when no other source told that the turn ended', () => {
    const scene = working().tool('Bash').wait(500).registry('idle')
    expect(scene.verdict()).toMatchObject({ state: 'idle', after: 'interrupt', rule: 'R5' })
  })

  it('[R5] is idle after what the others tell', () => {
    expect(done().registry('idle').state()).toBe('idle:work')
    expect(idle().registry('idle').state()).toBe('idle:start')
  })

  it('[R5] [E1] is error when the turn died', () => {
    const scene = working().registry('busy').wait(500).hook('StopFailure', { error: 'overloaded' })
    const error = { state: 'error', cause: 'overloaded', rule: 'E1' }
    expect(scene.wait(500).registry('idle').verdict()).toMatchObject(error)
    expect(scene.wait(600_000).verdict()).toMatchObject(error)
    expect(scene.prompt('again').state()).toBe('working')
  })

  it('[B6] ends every task started before it', () => {
    const scene = working().hook('SubagentStart', AGENT).wait(500).stop(LISTED).wait(500)
    expect(scene.state()).toBe('background')
    expect(scene.registry('idle').verdict()).toMatchObject({ state: 'idle', tasks: [] })
  })

  it('[W6] closes every request opened before it', () => {
    const scene = asking('Bash').registry('waiting', PROMPT).wait(2_000).registry('idle')
    expect(scene.verdict().state).toBe('idle')
    // The next turn does not find it again.
    expect(scene.wait(1_000).prompt().state()).toBe('working')
  })
})

describe('waiting', () => {
  it.each([
    ['Bash', 'permission'],
    ['ExitPlanMode', 'plan'],
  ])('[W10] the open request for %s tells for what: %s', (tool, kind) => {
    const scene = asking(tool).registry('waiting', PROMPT)
    expect(scene.verdict()).toMatchObject({ for: kind, rule: 'W10', request: { tool } })
  })

  it.each([
    [PROMPT, 'permission'],
    ['sandbox request', 'permission'],
    ['input needed', 'question'],
    ['dialog open', 'dialog'],
  ])('[W10] without one the word does: %s → %s', (said, kind) => {
    expect(working().registry('waiting', said).state()).toBe(`waiting:${kind}`)
  })

  it('[W10] what was answered before tells nothing of this dialog', () => {
    const scene = asking('ExitPlanMode').registry('waiting', PROMPT).wait(2_000).registry('busy')
    expect(scene.wait(5_000).registry('waiting', PROMPT).state()).toBe('waiting:permission')
  })

  it('[W6] what busy closed stays closed when the client waits again', () => {
    // The first wait was too short to appear in the registry.
    const untold = asking('ExitPlanMode').registry('busy').wait(5_000)
    expect(untold.registry('waiting', PROMPT).state()).toBe('waiting:permission')
  })
})
