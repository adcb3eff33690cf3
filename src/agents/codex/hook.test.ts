import { describe, expect, it } from 'vitest'
import type { Happening, Report } from '../../core/signal.ts'
import { aboutCodexHook, fromCodexHook } from './hook.ts'

const hook = (
  event: string,
  more: object = {},
  env: object = { ppid: 7, tmuxPane: '%0' },
): Report => ({
  ...{ t: 1_000, source: 'hook', agent: 'codex', env },
  payload: { session_id: 's1', turn_id: 'turn-1', cwd: '/p', hook_event_name: event, ...more },
})
const marks = (report: Report): Happening[] =>
  fromCodexHook(report).filter(({ kind }) => !['life', 'details', 'words'].includes(kind))

describe('a hook', () => {
  it('[CX16] never names a process or a pane: both are those of the shared daemon', () => {
    expect(aboutCodexHook(hook('Stop'))).toEqual({
      agent: 'codex',
      session: 's1',
      runner: 7,
      folder: '/p',
    })
    expect(JSON.stringify(fromCodexHook(hook('Stop')))).not.toContain('%0')
  })

  it.each([
    ['SessionStart', { source: 'clear' }, [{ kind: 'opened', how: 'clear', continues: true }]],
    ['SessionStart', { source: 'compact' }, [{ kind: 'compaction', open: false }]],
    ['SessionEnd', { reason: 'other' }, [{ kind: 'left', how: 'other' }]],
    ['UserPromptSubmit', { prompt: 'go' }, [{ kind: 'turn-started', by: 'user' }]],
    ['Stop', {}, [{ kind: 'turn-ended', how: 'done', turn: 'turn-1' }]],
    ['Interrupt', {}, [{ kind: 'turn-interrupted', turn: 'turn-1' }]],
    [
      'SubagentStart',
      { agent_id: 'a', agent_type: 'default' },
      [{ kind: 'task-started', id: 'a', what: 'subagent', label: 'default' }],
    ],
    ['SubagentStop', { agent_id: 'a' }, [{ kind: 'task-ended', id: 'a' }]],
    ['PreCompact', {}, [{ kind: 'compaction', open: true }]],
    ['PostCompact', {}, [{ kind: 'compaction', open: false }]],
    ['PreModelRequest', {}, []],
    ['NoSuchEvent', {}, []],
  ])('[CX17] %s %o', (event, more, expected) => {
    expect(marks(hook(event, more))).toEqual(expected)
  })

  it('[CX17] of a subagent ends neither the turn nor a prompt of its parent', () => {
    for (const event of ['Stop', 'Interrupt', 'UserPromptSubmit', 'PreCompact'])
      expect(marks(hook(event, { agent_id: 'a' }))).toEqual([])
  })

  it('[CX18] a permission is asked for the call with the same input, whatever its reason', () => {
    const input = { command: 'touch made.txt' }
    const call = { tool_name: 'Bash', tool_use_id: 'exec-1', tool_input: input }
    const [started] = marks(hook('PreToolUse', call))
    const reason = { ...input, description: 'May I?' }
    const [asked] = marks(hook('PermissionRequest', { tool_name: 'Bash', tool_input: reason }))
    expect(asked).toMatchObject({
      kind: 'request-opened',
      for: 'permission',
      text: 'touch made.txt',
      early: true,
    })
    expect(started).toMatchObject({
      kind: 'tool-started',
      input: (asked as { input: string }).input,
    })
  })

  it('[CX18] the tool that asks waits for a question from its start on', () => {
    const input = { questions: [{ question: 'Which colour?' }] }
    const call = { tool_name: 'request_user_input', tool_use_id: 'c1', tool_input: input }
    const [, asked] = marks(hook('PreToolUse', call))
    expect(asked).toMatchObject({
      kind: 'request-opened',
      for: 'question',
      id: 'c1',
      text: 'Which colour?',
    })
    expect(asked).not.toHaveProperty('early')
  })

  it('[CX18] a patch is shown by its files', () => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n*** Add File: b.ts\n*** End Patch'
    const call = { tool_name: 'apply_patch', tool_use_id: 'c2', tool_input: { command: patch } }
    expect(marks(hook('PreToolUse', call))[0]).toMatchObject({ label: 'a.ts and 1 more' })
  })
})

it('[CX15] any payload at all gives signals or none', () => {
  for (const payload of [
    null,
    1,
    'x',
    [],
    {},
    { hook_event_name: 7 },
    { hook_event_name: 'PreToolUse' },
  ])
    expect(() => fromCodexHook({ t: 1, source: 'hook', payload })).not.toThrow()
})
