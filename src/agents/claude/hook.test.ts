import { describe, expect, it } from 'vitest'
import type { Happening } from '../../core/signal.ts'
import { inputFingerprint } from '../input-fingerprint.ts'
import { aboutHook, fromHook } from './hook.ts'
import { translateClaude } from './translate.ts'

const T = 1_000_000
const PATH = '/home/ada/.claude/projects/-home-ada-engine/session-1.jsonl'
const LIFE: Happening = { kind: 'life' }

const reportOf = (event: string, fields: object = {}) => ({
  t: T,
  source: 'hook' as const,
  env: { ppid: 4711 },
  payload: { session_id: 'session-1', hook_event_name: event, ...fields },
})

/** What an event says besides that its session lives. */
function told(event: string, fields: object = {}): Happening[] {
  const happenings = fromHook(reportOf(event, fields))
  expect(happenings).toContainEqual(LIFE)
  return happenings.filter(({ kind }) => kind !== 'life' && kind !== 'words')
}

describe('whom a hook is about', () => {
  it('[X3] session, process, pane and folder, at its arrival', () => {
    const env = { ppid: 4711, tmuxPane: '%3' }
    const signals = translateClaude({ ...reportOf('Stop', { transcript_path: PATH }), env })
    expect(signals.length).toBeGreaterThan(0)
    for (const { at, about } of signals) {
      expect(at).toBe(T)
      expect(about).toEqual({
        agent: 'claude',
        session: 'session-1',
        pid: 4711,
        pane: '%3',
        folder: '-home-ada-engine',
      })
    }
  })

  it("[X3] the client's own pid counts more than the parent's, which may be a shell", () => {
    const report = { ...reportOf('Stop'), env: { ppid: 4711, claudePid: 4242 } }
    expect(aboutHook(report)).toEqual({ agent: 'claude', session: 'session-1', pid: 4242 })
  })
})

describe('where its session is', () => {
  const env = { tmux: '/tmp/tmux-1000/work,99,0', tmuxPane: '%3', tty: '/dev/pts/3' }

  it('[X3] a pane is named with its tmux server: two servers both have a %3', () => {
    const report = { ...reportOf('Stop'), env }
    expect(aboutHook(report).pane).toBe('/tmp/tmux-1000/work:%3')
    expect(aboutHook({ ...report, env: { ...env, tmux: '/tmp/other,1,0' } }).pane).toBe(
      '/tmp/other:%3',
    )
  })

  it('[X3] pane, server, terminal and transcript are reported beside the state', () => {
    const report = { ...reportOf('Stop', { transcript_path: PATH }), env }
    const details = fromHook(report).find(({ kind }) => kind === 'details')
    expect(details).toMatchObject({
      details: { transcript: PATH, pane: '%3', tmux: '/tmp/tmux-1000/work', tty: '/dev/pts/3' },
    })
  })
})

describe('events without a meaning', () => {
  it.each([
    'Notification',
    'MessageDisplay',
    'TeammateIdle',
    'ConfigChange',
    'Novel',
    'constructor',
    '__proto__',
    'toString',
  ])('[X4] %s is a sign of life and nothing more', (event) => {
    const fields = { notification_type: 'permission_prompt', message: 'waiting', prompt: 'x' }
    expect(fromHook(reportOf(event, fields))).toEqual([LIFE])
  })

  it('[X4] a payload without an event is none', () => {
    expect(fromHook({ t: T, source: 'hook', payload: { session_id: 'session-1' } })).toEqual([])
  })
})

describe('sessions and turns', () => {
  it('[X1] how a session opened and why it ended is kept as said', () => {
    for (const source of ['startup', 'resume', 'teleport'])
      expect(told('SessionStart', { source })).toEqual([{ kind: 'opened', how: source }])
    for (const reason of ['other', 'eclipse'])
      expect(told('SessionEnd', { reason })).toEqual([{ kind: 'left', how: reason }])
    const reason = 'prompt_input_exit'
    expect(told('SessionEnd', { reason })).toEqual([{ kind: 'left', how: 'exit' }])
    expect(told('SessionStart')).toEqual([{ kind: 'opened', how: 'startup' }])
    expect(told('SessionEnd')).toEqual([{ kind: 'left', how: 'other' }])
  })

  it('[L1] after some goodbyes its process continues as another session', () => {
    const continues = true
    for (const how of ['clear', 'resume'])
      expect(told('SessionEnd', { reason: how })).toEqual([{ kind: 'left', how, continues }])
    const opened = [{ kind: 'opened', how: 'clear', continues }]
    expect(told('SessionStart', { source: 'clear' })).toEqual(opened)
  })

  it('[X1] the cause of a failure is kept as said', () => {
    for (const error of ['rate_limit', 'server_error', 'solar_flare'])
      expect(told('StopFailure', { error })).toEqual([{ kind: 'turn-failed', cause: error }])
    expect(told('StopFailure')).toEqual([{ kind: 'turn-failed', cause: 'unknown' }])
  })

  it('a prompt starts a turn under its own id', () => {
    expect(told('UserPromptSubmit', { prompt: 'do it', prompt_id: 'p1' })).toEqual([
      { kind: 'turn-started', by: 'user', turn: 'p1' },
    ])
  })

  it('[B8] the notice of a task ends it and starts a turn that the user did not type', () => {
    const prompt = '<task-notification>\n<task-id>a1</task-id>'
    expect(told('UserPromptSubmit', { prompt, prompt_id: 'p2' })).toEqual([
      { kind: 'turn-started', by: 'task', turn: 'p2' },
      { kind: 'task-ended', id: 'a1' },
    ])
  })

  it('[B8] a prompt that only quotes a notice was typed', () => {
    const prompt = 'what is <task-notification>\n<task-id>a1</task-id>?'
    expect(told('UserPromptSubmit', { prompt })).toEqual([{ kind: 'turn-started', by: 'user' }])
  })

  it('[B4] a Stop ends the turn and lists what still runs', () => {
    const background_tasks = [
      { id: 'b1', type: 'shell', status: 'running', command: 'sleep 8' },
      { id: 'b2', type: 'shell', status: 'completed', command: 'true' },
      { id: 'a1', type: 'subagent', status: 'running', description: 'look around' },
    ]
    expect(told('Stop', { prompt_id: 'p1', background_tasks })).toEqual([
      { kind: 'turn-ended', how: 'done', turn: 'p1' },
      {
        kind: 'tasks-listed',
        tasks: [
          { id: 'b1', what: 'shell', label: 'sleep 8' },
          { id: 'a1', what: 'subagent', label: 'look around' },
        ],
      },
    ])
  })

  it('[B4] an empty list says that nothing runs, no list says nothing', () => {
    expect(told('Stop', { background_tasks: [] })).toContainEqual({
      kind: 'tasks-listed',
      tasks: [],
    })
    expect(told('Stop')).toEqual([{ kind: 'turn-ended', how: 'done' }])
  })

  it('compactions: a manual one is a turn, one of the client itself is not', () => {
    const open: Happening = { kind: 'compaction', open: true }
    const closed: Happening = { kind: 'compaction', open: false }
    const turn: Happening = { kind: 'turn-started', by: 'compaction' }
    expect(told('PreCompact', { trigger: 'manual' })).toEqual([open, turn])
    expect(told('PreCompact', { trigger: 'auto' })).toEqual([open])
    expect(told('PostCompact', { trigger: 'manual' })).toEqual([closed])
    expect(told('SessionStart', { source: 'compact' })).toEqual([closed])
  })
})

describe('subagents', () => {
  it('a subagent is a task from start to stop', () => {
    const agent = { agent_id: 'a1', agent_type: 'Explore' }
    expect(told('SubagentStart', agent)).toEqual([
      { kind: 'task-started', id: 'a1', what: 'subagent', label: 'Explore' },
    ])
    expect(told('SubagentStop', agent)).toEqual([{ kind: 'task-ended', id: 'a1' }])
  })

  it('[B7] a SubagentStop with an empty type ends no task, one without a type does', () => {
    expect(told('SubagentStop', { agent_id: 'a1', agent_type: '' })).toEqual([])
    expect(told('SubagentStop', { agent_id: 'a1' })).toEqual([{ kind: 'task-ended', id: 'a1' }])
    expect(told('SubagentStop', {})).toEqual([])
  })

  it('[B7] nor does what it lists: the one that stops is still among it', () => {
    const background_tasks = [{ id: 'a1', type: 'subagent', status: 'running' }]
    expect(told('SubagentStop', { agent_id: 'a1', agent_type: '', background_tasks })).toEqual([])
  })
})

const BASH = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'tool-1' }

describe('tools', () => {
  it('start with a name, a label, an actor and a turn', () => {
    expect(told('PreToolUse', { ...BASH, agent_id: 'a1', prompt_id: 'p1' })).toEqual([
      {
        kind: 'tool-started',
        id: 'tool-1',
        name: 'Bash',
        input: inputFingerprint({ command: 'ls' }),
        quiet: false,
        label: 'ls',
        actor: 'a1',
        turn: 'p1',
      },
    ])
  })

  it('end however they end', () => {
    for (const event of ['PostToolUse', 'PostToolUseFailure', 'PermissionDenied'])
      expect(told(event, { ...BASH, agent_id: 'a1' })).toEqual([
        { kind: 'tool-ended', id: 'tool-1', actor: 'a1' },
      ])
  })

  it('end together in a batch, refused ones too', () => {
    const tool_calls = [BASH, { tool_name: 'Read', tool_use_id: 'tool-2' }, 'torn']
    expect(told('PostToolBatch', { tool_calls })).toEqual([
      { kind: 'tool-ended', id: 'tool-1' },
      { kind: 'tool-ended', id: 'tool-2' },
      { kind: 'tools-settled' },
    ])
    expect(told('PostToolBatch', { agent_id: 'a1' })).toEqual([
      { kind: 'tools-settled', actor: 'a1' },
    ])
  })

  it.each([
    ['ExitPlanMode', 'plan'],
    ['AskUserQuestion', 'question'],
    ['Bash', 'permission'],
    ['mcp__db__drop', 'permission'],
  ])('[W1] a request for %s waits for a %s', (tool_name, kind) => {
    const asked = told('PermissionRequest', { tool_name, tool_input: {}, agent_id: 'a1' })
    expect(asked).toMatchObject([
      { kind: 'request-opened', for: kind, tool: tool_name, actor: 'a1' },
    ])
    const started = told('PreToolUse', { tool_name, tool_input: {}, tool_use_id: 'tool-1' })
    const kinds = started.map((happening) => happening.kind)
    // The two dialog tools wait from their start, any other only when it asks.
    const waits = kind === 'permission' ? [] : ['request-opened']
    expect(kinds).toEqual(['tool-started', ...waits])
  })

  it('a request bears the fingerprint of the call it is for', () => {
    const { tool_use_id, ...request } = BASH
    expect(told('PermissionRequest', request)).toMatchObject([
      { input: inputFingerprint(BASH.tool_input), text: 'ls' },
    ])
    expect(told('PreToolUse', { ...request, tool_use_id })).toMatchObject([
      { input: inputFingerprint(BASH.tool_input) },
    ])
  })

  it("a server's question opens and closes under the server's name", () => {
    const server = { mcp_server_name: 'db', message: 'Which table?' }
    const input = ''
    expect(told('Elicitation', server)).toEqual([
      { kind: 'request-opened', for: 'question', tool: 'mcp:db', input, text: 'Which table?' },
    ])
    expect(told('ElicitationResult', server)).toEqual([{ kind: 'request-closed', tool: 'mcp:db' }])
  })
})

it('details come with any event', () => {
  const fields = { cwd: '/engine', model: 'm', permission_mode: 'plan' }
  expect(told('Notification', fields)).toEqual([
    { kind: 'details', details: { cwd: '/engine', model: 'm', mode: 'plan' } },
  ])
})

it('[X13] a payload whose transcript lies in another agent’s folder says nothing', () => {
  const said = (transcript_path: string) =>
    fromHook({
      t: T,
      source: 'hook',
      payload: { hook_event_name: 'SessionStart', session_id: 's', transcript_path },
    })
  expect(said('/home/ada/.copilot/session-state/s.jsonl')).toEqual([])
  expect(said('/home/ada/.claude/projects/-p/s.jsonl')).not.toEqual([])
})
