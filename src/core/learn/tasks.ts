import type { Facts, Task } from '../facts.ts'
import { TASKS_MAX } from '../limits.ts'
import type { ListedTask, SignalOf } from '../signal.ts'
import { withActor } from './tools.ts'

export function learnTask(facts: Facts, signal: SignalOf<'task-started' | 'task-ended'>): Facts {
  return withActor(facts, signal.id, (task) => {
    if (signal.kind === 'task-ended')
      return { ...task, endedAt: Math.max(task.endedAt ?? signal.at, signal.at) }
    return { ...named(task, signal), startedAt: Math.max(task.startedAt ?? signal.at, signal.at) }
  })
}

function named(task: Task, reported: ListedTask): Task {
  const label = task.label ?? reported.label
  return { ...task, what: task.what ?? reported.what, ...(label !== undefined && { label }) }
}

/** SPEC B4. At a turn's end the client lists what still runs; a task that is not listed is over. */
export function learnListed(facts: Facts, signal: SignalOf<'tasks-listed'>): Facts {
  const listed = signal.tasks.slice(0, TASKS_MAX)
  const known = listed.reduce(
    (sum, reported) => withActor(sum, reported.id, (task) => named(task, reported)),
    facts,
  )
  if (known.listed && known.listed.at > signal.at) return known
  return { ...known, listed: { at: signal.at, ids: listed.map((task) => task.id) } }
}
