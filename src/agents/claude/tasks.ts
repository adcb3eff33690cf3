import type { Happening, ListedTask } from '../../core/signal.ts'
import { cutWord, fields, given, list, shortText, textIn } from '../read.ts'
import { labelOf } from './tools.ts'

/** SPEC B1. A tool's result that reports a task in the background. */
export function tasksOf(answer: unknown, input?: unknown): Happening[] {
  const said = fields(answer)
  const agent = shortText(said.agentId)
  if (agent && said.status === 'async_launched')
    return [begun(agent, 'subagent', textIn(said.description) ?? labelOf(input))]
  if (agent && said.status === 'completed') return [{ kind: 'task-ended', id: agent }]
  const shell = shortText(said.backgroundTaskId)
  if (shell) return [begun(shell, 'shell', labelOf(input))]
  const workflow = shortText(said.taskId)
  if (workflow && said.status === 'async_launched')
    return [begun(workflow, shortText(said.taskType) ?? 'task', labelOf(input))]
  return []
}

/** SPEC B4. `background_tasks` of a Stop, without entries that are over. */
export function listedTasks(value: unknown): readonly ListedTask[] | undefined {
  if (!Array.isArray(value)) return undefined
  const tasks: ListedTask[] = []
  for (const entry of value.map(fields)) {
    const id = shortText(entry.id)
    const status = textIn(entry.status)
    if (!id || (status !== undefined && status !== 'running')) continue
    const label = textIn(entry.command) ?? textIn(entry.description)
    tasks.push(given({ id, what: shortText(entry.type) ?? 'task', label: label && cutWord(label) }))
  }
  return tasks
}

const NOTICE = '<task-notification>'

/** SPEC B8. The client prompts itself when a task ends; the notice names the task. */
export function isTaskNotice(prompt: string): boolean {
  return prompt.startsWith(NOTICE)
}

export function endedByNotice(prompt: string): Happening[] {
  if (!isTaskNotice(prompt)) return []
  const id = /<task-id>([^<]{1,100})<\/task-id>/.exec(prompt.slice(0, 1_000))?.[1]
  return id === undefined ? [] : [{ kind: 'task-ended', id }]
}

/** Tools that stop a task, and the fields in which they name it. */
export function stoppedBy(tool: string, input: unknown): Happening[] {
  if (tool !== 'KillShell' && tool !== 'TaskStop' && tool !== 'KillBash') return []
  const asked = fields(input)
  const id = shortText(asked.shell_id) ?? shortText(asked.task_id) ?? shortText(asked.bash_id)
  return id === undefined ? [] : [{ kind: 'task-ended', id }]
}

function begun(id: string, what: string, label: string | undefined): Happening {
  return { kind: 'task-started', id, what, ...(label !== undefined && { label: cutWord(label) }) }
}

export function todosOf(tool: string, input: unknown): Happening[] {
  if (tool !== 'TodoWrite') return []
  const todos = list(fields(input).todos).map(fields)
  const todosDone = todos.filter((todo) => todo.status === 'completed').length
  return [{ kind: 'details', details: { todosDone, todosTotal: todos.length } }]
}
