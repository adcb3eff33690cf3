import { describe, expect, it } from 'vitest'
import { claudeState } from '../../src/core/vocabulary/claude-state.ts'
import { Scene } from '../support/scene.ts'

const said = (scene: Scene) => claudeState(scene.verdict())
const idle = () => new Scene().start().wait(1_000)
const working = () => idle().prompt().wait(1_000)
const waiting = () => working().tool('Bash').wait(500).asks('Bash').wait(500)

const AGENT = { agent_id: 'agent-a', agent_type: 'Explore' }
const listed = (...ids: string[]) => ({
  background_tasks: ids.map((id) => ({ id, type: 'subagent', status: 'running' })),
})
const notice = (id: string) =>
  `<task-notification>\n<task-id>${id}</task-id>\n<status>completed</status>`

describe('claude-state: waiting is sticky', () => {
  it.each<[string, (scene: Scene) => Scene]>([
    ['the end of another tool', (scene) => scene.toolDone('Read', 'tool-9')],
    ['the failure of another tool', (scene) => failure(scene, 'tool-9')],
    ['the start of another tool', (scene) => scene.tool('Read')],
    ["a subagent's tool", (scene) => scene.tool('Bash', AGENT).toolDone('Bash', 'tool-2', AGENT)],
    ["a subagent's batch", (scene) => scene.hook('PostToolBatch', { tool_calls: [], ...AGENT })],
    ['a notification', (scene) => scene.hook('Notification')],
    ['keys', (scene) => scene.key('Down').key('Enter')],
    ['a look', (scene) => scene.look()],
    ['a result for another id', (scene) => scene.answered('tool-9')],
  ])('[SC11] %s does not clear it', (_what, happen) => {
    expect(said(happen(waiting().wait(5_000)).wait(5_000))).toBe('waiting_permission')
  })

  it.each<[string, (scene: Scene) => Scene]>([
    ["its own tool's end", (scene) => scene.toolDone('Bash', 'tool-1')],
    ["its own tool's failure", (scene) => failure(scene, 'tool-1')],
    ['a typed prompt', (scene) => scene.prompt('rather not')],
    ['its whole batch', (scene) => scene.hook('PostToolBatch', { tool_calls: [] })],
    ['a result for its id', (scene) => scene.answered('tool-1')],
  ])('[SC11] %s clears it', (_what, happen) => {
    expect(said(waiting().wait(5_000))).toBe('waiting_permission')
    expect(said(happen(waiting().wait(5_000)))).toBe('working')
  })
})

function failure(scene: Scene, tool_use_id: string): Scene {
  return scene.hook('PostToolUseFailure', { tool_name: 'Bash', tool_use_id, error: 'exit 1' })
}

describe('claude-state: compaction', () => {
  it('[SC12] SessionStart(compact) does not stop a session that works', () => {
    const scene = working().hook('PreCompact', { trigger: 'auto' }).wait(20_000)
    expect(said(scene.start('compact'))).toBe('working')
    expect(said(scene.wait(1_000).tool('Bash'))).toBe('working')
  })

  it('[SC12] SessionStart(compact) without any PreCompact does not either', () => {
    expect(said(working().start('compact'))).toBe('working')
  })
})

describe('claude-state: background work', () => {
  const launch = (id: string) => ({ tool_response: { status: 'async_launched', agentId: id } })
  /** Two subagents that no event lists: the Stop has no such field. */
  const unlisted = () =>
    working()
      .tool('Agent')
      .toolDone('Agent', 'tool-1', launch('agent-a'))
      .tool('Agent')
      .toolDone('Agent', 'tool-2', launch('agent-b'))
      .wait(1_000)
      .hook('Stop')
      .wait(1_000)

  it('[SC14] a turn that is over with work still running is a state of its own', () => {
    expect(said(unlisted())).toBe('working_background')
  })

  it('[SC14] a typed prompt clears a ledger that no event lists', () => {
    const scene = unlisted().prompt('something else').wait(1_000)
    expect(scene.verdict().tasks).toEqual([])
    expect(said(scene.hook('Stop'))).toBe('stopped')
  })

  it("[SC14] a task's notice clears its own task only", () => {
    const scene = unlisted().prompt(notice('agent-a')).wait(1_000)
    expect(scene.verdict().tasks.map(({ id }) => id)).toEqual(['agent-b'])
    expect(said(scene.hook('Stop'))).toBe('working_background')
    expect(said(scene.wait(1_000).prompt(notice('agent-b')).wait(1_000).hook('Stop'))).toBe(
      'stopped',
    )
  })

  it('[SC14] a typed prompt does not clear a ledger that is listed', () => {
    const scene = unlisted().prompt('one more').wait(1_000).stop(listed('agent-a')).wait(1_000)
    expect(said(scene)).toBe('working_background')
    scene.prompt('and another').wait(1_000)
    expect(scene.verdict().tasks.map(({ id }) => id)).toEqual(['agent-a'])
  })
})

describe("claude-state: a subagent's steps", () => {
  const over = () => idle().wait(1_000).prompt().wait(1_000).stop().wait(5_000)

  it('[SC15] its PreToolUse does not touch a session that is stopped', () => {
    expect(said(over().tool('Bash', AGENT))).toBe('stopped')
  })

  it.each(['auto', 'manual'])('[SC15] its PreCompact (%s) does not either', (trigger) => {
    expect(said(over().hook('PreCompact', { trigger, ...AGENT }))).toBe('stopped')
  })

  it('[SC15] its PreToolUse does not change what the main agent is doing', () => {
    const scene = working().tool('Grep').wait(500).tool('Bash', AGENT)
    expect(scene.verdict().doing).toMatchObject({ what: 'tool', tool: 'Grep' })
  })

  it('[SC15] its PreCompact does not make the main agent compact', () => {
    const scene = working().hook('PreCompact', { trigger: 'auto', ...AGENT })
    expect(scene.verdict().doing).toMatchObject({ what: 'thinking' })
  })

  it('[SC15] its PreCompact does not outlive it: the main agent can still be stuck', () => {
    const scene = working().hook('SubagentStart', AGENT).wait(1_000)
    scene
      .hook('PreCompact', { trigger: 'auto', ...AGENT })
      .wait(1_000)
      .hook('SubagentStop', AGENT)
    expect(said(scene.wait(120_001))).toBe('stuck')
  })
})

describe('claude-state: what proves nothing', () => {
  it('[SC16] Enter is not working', () => {
    expect(said(idle().key('Enter'))).toBe('idle')
    expect(said(waiting().key('Enter'))).toBe('waiting_permission')
    expect(said(working().stop().wait(1_000).key('Enter'))).toBe('stopped')
  })

  it('[SC17] words about errors in an answer, a prompt or a result are no error', () => {
    const text = 'API Error: 500 {"type":"error","error":{"type":"api_error"}} overloaded 529'
    const answer = { tool_response: { stdout: text, is_error: true } }
    const scene = idle().prompt(text).typed(text).wait(1_000)
    scene.tool('Bash').wait(500).toolDone('Bash', 'tool-1', answer)
    const content = [{ type: 'tool_result', tool_use_id: 'tool-1', content: text, is_error: true }]
    scene.entry({ type: 'user', message: { role: 'user', content } }).wait(500)
    expect(scene.state()).toBe('working')
    scene.said(text).stop({ last_assistant_message: text })
    expect(scene.state()).toBe('idle:work')
  })

  it('[SC17] what the client marks as an error is one', () => {
    const message = { role: 'assistant', content: [{ type: 'text', text: 'Try again later.' }] }
    const marked = { type: 'assistant', isApiErrorMessage: true, error: 'overloaded', message }
    expect(working().entry(marked).verdict()).toMatchObject({ state: 'error', cause: 'overloaded' })
    expect(
      working()
        .entry({ ...marked, isApiErrorMessage: false })
        .state(),
    ).toBe('working')
  })

  it('[SC18] hooks of a nested session do not touch the session around it', () => {
    const outer = new Scene({ pane: '%1' }).start().wait(1_000).prompt().wait(1_000).tool('Bash')
    const before = outer.state()
    // It inherits folder and pane from the tool that runs it, and has a process of its own.
    const inner = new Scene({ session: 'nested', pid: 5_000, pane: '%1' }, outer).wait(1_000)
    const steps: ((scene: Scene) => Scene)[] = [
      (scene) => scene.start(),
      (scene) => scene.prompt('review'),
      (scene) => scene.tool('Bash').asks('Bash'),
      (scene) => scene.hook('StopFailure', { error: 'overloaded' }),
      (scene) => scene.stop(),
      (scene) => scene.hook('SessionEnd', { reason: 'other' }).process(false),
    ]
    for (const step of steps) {
      step(inner.wait(1_000))
      expect(outer.wait(1_000).state()).toBe(before)
    }
    expect(outer.verdict().doing).toMatchObject({ tool: 'Bash' })
    expect(outer.sessions.lineages.rootOf('nested')).toBe('nested')
  })

  it('[SC19] idle_prompt ends no turn, however long it was silent before', () => {
    const notify = { notification_type: 'idle_prompt', message: 'Claude is waiting for your input' }
    const scene = working().wait(60_000).hook('Notification', notify)
    expect(said(scene)).toBe('working')
    expect(said(working().tool('Bash').wait(600_000).hook('Notification', notify))).toBe('working')
    expect(said(waiting().wait(60_000).hook('Notification', notify))).toBe('waiting_permission')
  })
})
