import { describe, expect, it } from 'vitest'
import { endedByNotice, isTaskNotice, listedTasks, stoppedBy, tasksOf, todosOf } from './tasks.ts'

describe("a tool's answer", () => {
  it('starts a subagent in the background', () => {
    const answer = { isAsync: true, status: 'async_launched', agentId: 'a1', description: 'probe' }
    const started = { kind: 'task-started', id: 'a1', what: 'subagent' }
    expect(tasksOf(answer)).toEqual([{ ...started, label: 'probe' }])
    const { description, ...bare } = answer
    expect(tasksOf(bare, { description })).toEqual([{ ...started, label: 'probe' }])
    expect(tasksOf(bare)).toEqual([started])
  })

  it('ends a subagent in the foreground', () => {
    expect(tasksOf({ status: 'completed', agentId: 'a1' })).toEqual([
      { kind: 'task-ended', id: 'a1' },
    ])
  })

  it('starts a shell in the background', () => {
    expect(tasksOf({ stdout: '', backgroundTaskId: 'b1' }, { command: 'sleep 8' })).toEqual([
      { kind: 'task-started', id: 'b1', what: 'shell', label: 'sleep 8' },
    ])
  })

  it('starts a workflow, of whatever kind it says', () => {
    const answer = { status: 'async_launched', taskId: 'w1' }
    expect(tasksOf({ ...answer, taskType: 'local_workflow' })).toEqual([
      { kind: 'task-started', id: 'w1', what: 'local_workflow' },
    ])
    expect(tasksOf(answer)).toEqual([{ kind: 'task-started', id: 'w1', what: 'task' }])
  })

  it('mostly says nothing of tasks', () => {
    for (const answer of [
      undefined,
      'User rejected tool use',
      [{ type: 'text', text: 'async_launched' }],
      { stdout: 'async_launched', interrupted: false },
      { status: 'async_launched' },
      { status: 'novel', agentId: 'a1' },
      { taskId: '1', status: 'completed' },
    ])
      expect(tasksOf(answer)).toEqual([])
  })
})

describe('the list of a Stop', () => {
  it('[B4] names what runs, and leaves out what is over or has no name', () => {
    expect(
      listedTasks([
        { id: 'b1', type: 'shell', status: 'running', command: 'x'.repeat(300) },
        { id: 'b2', type: 'shell', status: 'killed' },
        { id: 'm1', type: 'novel kind', description: 'watch', command: 'tail' },
        { id: 'q1' },
        { type: 'shell', status: 'running' },
        'torn',
        null,
      ]),
    ).toEqual([
      { id: 'b1', what: 'shell', label: `${'x'.repeat(199)}…` },
      { id: 'm1', what: 'novel kind', label: 'tail' },
      { id: 'q1', what: 'task' },
    ])
  })

  it('[B4] of none is a list, what is no list is none', () => {
    expect(listedTasks([])).toEqual([])
    for (const none of [undefined, null, {}, 'b1']) expect(listedTasks(none)).toBeUndefined()
  })
})

describe('the notice of a task', () => {
  const notice = '<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>'

  it('[B8] names the task that ended', () => {
    expect(isTaskNotice(notice)).toBe(true)
    expect(endedByNotice(notice)).toEqual([{ kind: 'task-ended', id: 'a1' }])
  })

  it('[B8] begins with its tag', () => {
    for (const prompt of ['', ` ${notice}`, `> ${notice}`, '<task-notify>', notice.slice(1)]) {
      expect(isTaskNotice(prompt)).toBe(false)
      expect(endedByNotice(prompt)).toEqual([])
    }
  })

  it('[B8] without a name ends no task', () => {
    expect(endedByNotice('<task-notification>\nall is well')).toEqual([])
    expect(endedByNotice('<task-notification><task-id></task-id>')).toEqual([])
  })
})

it('a task is stopped by the tools that stop tasks', () => {
  const ended = [{ kind: 'task-ended', id: 'b1' }]
  expect(stoppedBy('KillShell', { shell_id: 'b1' })).toEqual(ended)
  expect(stoppedBy('KillBash', { bash_id: 'b1' })).toEqual(ended)
  expect(stoppedBy('TaskStop', { task_id: 'b1' })).toEqual(ended)
  expect(stoppedBy('Bash', { shell_id: 'b1' })).toEqual([])
  expect(stoppedBy('KillShell', { shell_id: 5 })).toEqual([])
})

it('to-dos are counted, and those done', () => {
  const todos = [{ status: 'completed' }, { status: 'pending' }, { status: 'completed' }, 'torn']
  expect(todosOf('TodoWrite', { todos })).toEqual([
    { kind: 'details', details: { todosDone: 2, todosTotal: 4 } },
  ])
  expect(todosOf('Write', { todos })).toEqual([])
})
