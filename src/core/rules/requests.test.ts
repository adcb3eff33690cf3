import { describe, expect, it } from 'vitest'
import { Scene, screens } from '../../../test/support/scene.ts'

const AGENT = { agent_id: 'agent-a', agent_type: 'Explore' }
const LISTED = { background_tasks: [{ id: 'agent-a', type: 'subagent', status: 'running' }] }
const notice = '<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>'
const call = (command: string) => ({ tool_input: { command } })

const working = () => new Scene({ pane: '%1' }).start().wait(1_000).prompt().wait(1_000)
/** The main agent asks for tool-1. */
const asking = () => working().tool('Bash').wait(500).asks('Bash').wait(500)
/** A subagent asks for tool-2; the main agent's tool-1 started it. */
const agentAsking = () => {
  const scene = working().tool('Agent').hook('SubagentStart', AGENT).wait(1_000)
  return scene.tool('Bash', AGENT).wait(500).asks('Bash', AGENT).wait(500)
}
const WAITS = 'waiting:permission'

describe('a request', () => {
  it.each([
    ['ExitPlanMode', 'plan'],
    ['AskUserQuestion', 'question'],
    ['Bash', 'permission'],
    ['mcp__db__query', 'permission'],
  ])('[W1] for %s waits for a %s', (tool, kind) => {
    const scene = working().asks(tool)
    expect(scene.verdict()).toMatchObject({ state: 'waiting', for: kind, rule: 'W1' })
    expect(scene.verdict().request).toMatchObject({ tool, at: scene.now })
  })

  it.each([
    ['ExitPlanMode', 'waiting:plan'],
    ['AskUserQuestion', 'waiting:question'],
    ['Bash', 'working'],
  ])('[W1] from its start on %s is %s', (tool, state) => {
    expect(working().tool(tool).state()).toBe(state)
    expect(working().called(tool, 'tool-1').state()).toBe(state)
  })

  it("[W2] of a subagent makes the session wait, before its parent's Stop and after it", () => {
    const scene = agentAsking()
    expect(scene.verdict()).toMatchObject({ state: 'waiting', rule: 'W2' })
    expect(scene.verdict().request).toMatchObject({ actor: 'agent-a' })
    expect(scene.stop(LISTED).wait(1_000).state()).toBe(WAITS)
    // Also a request opened long after its parent has stopped.
    scene.toolDone('Bash', 'tool-2', AGENT).wait(5_000)
    expect(scene.state()).toBe('background')
    expect(scene.asks('Write', AGENT).state()).toBe(WAITS)
  })

  it('[W3] stays open for as long as nothing happens', () => {
    expect(asking().wait(86_400_000).state()).toBe(WAITS)
  })

  it.each<[string, (scene: Scene) => Scene]>([
    ['a Notification', (scene) => scene.hook('Notification', { message: 'needs you' })],
    ['keys', (scene) => scene.key('1').wait(500).key('Enter')],
    ['a look', (scene) => scene.look()],
    ['the start of another tool', (scene) => scene.tool('Read')],
    ['SubagentStop with an empty type', (scene) => scene.hook('SubagentStop', { agent_type: '' })],
    ['an automatic compaction', (scene) => scene.hook('PreCompact', { trigger: 'auto' })],
    ['the process being there', (scene) => scene.process(true)],
    ['a screen that cannot be read', (scene) => scene.screen(screens.shell())],
    ['the dialog on the screen', (scene) => scene.screen(screens.permission())],
    ['output older than it', (scene) => scene.said('First,', null, 8_000)],
    ['an answer older than it', (scene) => scene.answered('tool-1', 8_000)],
    ['an end older than it', (scene) => scene.said('Done.', 'end_turn', 8_000)],
    ['a prompt older than it', (scene) => scene.typed('do it', 8_000)],
  ])('[W3] is not closed by %s', (_what, happen) => {
    expect(happen(asking().wait(5_000)).wait(5_000).state()).toBe(WAITS)
  })
})

describe('the end of a tool', () => {
  it.each<[string, (scene: Scene) => Scene]>([
    ['PostToolUse', (scene) => scene.toolDone('Bash')],
    ['PostToolUseFailure', (scene) => scene.hook('PostToolUseFailure', { tool_use_id: 'tool-1' })],
    ['its answer in the transcript', (scene) => scene.answered('tool-1')],
  ])('[W4] closes its own request: %s', (_what, end) => {
    expect(end(asking()).state()).toBe('working')
  })

  it("[W4] a parallel tool's of the same agent does not", () => {
    const scene = working().tool('Read').tool('Bash', call('rm a')).tool('Bash', call('ls'))
    scene.wait(500).asks('Bash', call('rm a')).wait(500)
    expect(scene.toolDone('Read', 'tool-1').state()).toBe(WAITS)
    expect(scene.wait(500).toolDone('Bash', 'tool-3', call('ls')).state()).toBe(WAITS)
    expect(scene.wait(500).toolDone('Bash', 'tool-2', call('rm a')).state()).toBe('working')
  })

  it("[W4] a subagent's does not close the main agent's, though it ran the same", () => {
    const scene = working().hook('SubagentStart', AGENT).wait(500).tool('Bash', AGENT)
    scene.tool('Bash').wait(500).asks('Bash').wait(500)
    expect(scene.toolDone('Bash', 'tool-1', AGENT).wait(1_000).state()).toBe(WAITS)
    expect(scene.toolDone('Bash', 'tool-2').state()).toBe('working')
  })

  it('[W4] nor does an earlier call of the same command', () => {
    const scene = asking().toolDone('Bash').wait(1_000).tool('Bash').wait(500).asks('Bash')
    expect(scene.wait(1_000).state()).toBe(WAITS)
    // The transcript repeats the first call's end, late.
    expect(scene.answered('tool-1', 2_900).state()).toBe(WAITS)
    expect(scene.wait(500).toolDone('Bash', 'tool-2').state()).toBe('working')
  })

  it('[W4] a question that names its call is closed by that call alone', () => {
    const scene = working().tool('AskUserQuestion').tool('AskUserQuestion').wait(1_000)
    expect(scene.toolDone('AskUserQuestion', 'tool-1').state()).toBe('waiting:question')
    expect(scene.wait(500).toolDone('AskUserQuestion', 'tool-2').state()).toBe('working')
  })

  it('[W4] of two equal calls asked for at once, the first one leaves the second open', () => {
    const scene = working().tool('Bash').tool('Bash').wait(500).asks('Bash').wait(50).asks('Bash')
    expect(scene.wait(2_000).toolDone('Bash', 'tool-1').wait(500).state()).toBe(WAITS)
    expect(scene.toolDone('Bash', 'tool-2').wait(500).state()).toBe('working')
  })
})

describe('a request is also closed by', () => {
  it.each<[string, (scene: Scene) => Scene, string]>([
    ["its agent's whole batch", (scene) => scene.hook('PostToolBatch'), 'working'],
    ["its turn's Stop", (scene) => scene.stop(), 'idle:work'],
    ["its turn's last word", (scene) => scene.said('No.'), 'idle:work'],
    ["its turn's failure", (scene) => scene.hook('StopFailure', { error: 'x' }), 'error'],
    ['Esc', (scene) => scene.interrupted(), 'idle:interrupt'],
    ['a typed prompt', (scene) => scene.prompt('rather not'), 'working'],
    ['a typed prompt in the transcript', (scene) => scene.typed('rather not'), 'working'],
  ])('[W5] %s', (_what, happen, state) => {
    expect(happen(asking()).state()).toBe(state)
  })

  it('[W5] a prompt typed behind the running turn: no prompt can be typed past a dialog', () => {
    const turn = { prompt_id: 'p1' }
    const scene = new Scene().start().wait(1_000).prompt('do it', turn).wait(1_000)
    scene.tool('Bash', turn).wait(500).asks('Bash').wait(3_000)
    expect(scene.prompt('and then', turn).state()).toBe('working')
  })

  it('[W5] its answer, where it is reported', () => {
    const from = { mcp_server_name: 'db' }
    const scene = working()
      .hook('Elicitation', { ...from, message: 'Which?' })
      .wait(1_000)
    expect(scene.state()).toBe('waiting:question')
    expect(scene.hook('ElicitationResult', from).state()).toBe('working')
  })

  it.each([
    [2_000, WAITS],
    [2_001, 'working'],
  ])('[M5] output %i ms past it: %s', (past, state) => {
    const scene = working().tool('Bash').wait(500).asks('Bash').wait(past)
    expect(scene.said('Well,', null).state()).toBe(state)
  })
})

describe("a subagent's request", () => {
  it.each<[string, (scene: Scene) => Scene, string]>([
    ['its own tool', (scene) => scene.toolDone('Bash', 'tool-2', AGENT), 'working'],
    ['its own batch', (scene) => scene.hook('PostToolBatch', AGENT), 'working'],
    ['the end of its task', (scene) => scene.hook('SubagentStop', AGENT), 'working'],
    ['a Stop that does not list its task', (scene) => scene.stop(), 'idle:work'],
    ['Esc', (scene) => scene.interrupted(), 'background'],
    ['a typed prompt', (scene) => scene.prompt('rather not'), 'working'],
  ])('[W5] is closed by %s', (_what, happen, state) => {
    expect(happen(agentAsking().wait(1_000)).state()).toBe(state)
  })

  it.each<[string, (scene: Scene) => Scene]>([
    ["its parent's Stop", (scene) => scene.stop(LISTED)],
    ["its parent's last word", (scene) => scene.said('It is on its way.')],
    ["its parent's batch", (scene) => scene.hook('PostToolBatch')],
    ["its parent's tool", (scene) => scene.toolDone('Agent', 'tool-1')],
    ["another task's notice", (scene) => scene.prompt(notice)],
    ["another subagent's end", (scene) => scene.hook('SubagentStop', other)],
    ["another subagent's batch", (scene) => scene.hook('PostToolBatch', other)],
    ['SubagentStop with an empty type', (scene) => scene.hook('SubagentStop', { ...untyped })],
  ])('[W5] is not closed by %s', (_what, happen) => {
    expect(happen(agentAsking().wait(1_000)).wait(5_000).state()).toBe(WAITS)
  })
  const other = { agent_id: 'agent-b', agent_type: 'Explore' }
  const untyped = { agent_id: 'agent-a', agent_type: '' }

  it("[W5] its batch and its end do not close the main agent's", () => {
    const scene = asking().hook('PostToolBatch', AGENT).wait(500)
    expect(scene.hook('SubagentStop', AGENT).wait(1_000).state()).toBe(WAITS)
  })
})
