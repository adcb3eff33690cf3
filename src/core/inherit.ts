import type { Facts } from './facts.ts'
import { openTasks } from './rules/tasks.ts'
import type { About, Signal } from './signal.ts'

/** SPEC L5. Background work survives `/clear`: it belongs to the process (recording bg_clear). */
export function inheritedTasks(
  parent: Facts | undefined,
  { source, about }: Signal,
): readonly Signal[] {
  if (!parent) return []
  return openTasks(parent).map(({ id, what = 'task', label, startedAt = 0 }) => {
    const named = label === undefined ? { id, what } : { id, what, label }
    return { kind: 'task-started', ...named, at: startedAt, source, about }
  })
}

/**
 * SPEC L5, O1. A signal about a task may reach the old session after it was cleared; the successor
 * gets it. A repeated start of a task that ended in the old session starts nothing in the new one.
 */
export function forSuccessor(parent: Facts, signal: Signal, successor: string): Signal | undefined {
  if (signal.kind !== 'task-started' && signal.kind !== 'task-ended') return undefined
  if (signal.kind === 'task-started' && !openTasks(parent).some(({ id }) => id === signal.id))
    return undefined
  const about: About = { agent: signal.about.agent, session: successor }
  return { ...signal, about }
}
