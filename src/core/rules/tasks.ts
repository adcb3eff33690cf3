import type { Facts, Task, Tool } from '../facts.ts'
import { HOOK_LAG_MS } from '../limits.ts'
import { restartedAt } from './turn.ts'

/** SPEC B1–B5. Subagents and background shells that still run, as far as the sources report. */
export function openTasks(facts: Facts): readonly Task[] {
  if (facts.tasks.length === 0) return facts.tasks
  return facts.tasks.filter((task) => isOpen(facts, task))
}

/** SPEC C6, L5. A task survives a change of id, which keeps its process, but never the process. */
function outlived(facts: Facts, task: Task): boolean {
  if (facts.opened?.continues && facts.left === undefined) return false
  return (task.startedAt ?? Number.POSITIVE_INFINITY) <= restartedAt(facts)
}

function isOpen(facts: Facts, task: Task): boolean {
  const { startedAt, endedAt } = task
  if (outlived(facts, task)) return false
  if (endedAt !== undefined && !(startedAt !== undefined && startedAt > endedAt)) return false
  const { listed, selfReport, turn, screen } = facts
  // SPEC B4. The list may be older, by the delay of a hook, than a start that it lacks.
  if (listed && !listed.ids.includes(task.id) && listed.at > (startedAt ?? 0) + HOOK_LAG_MS)
    return false
  // SPEC B5. A client that never lists its tasks: a prompt typed by the user clears them.
  const prompted = turn.promptedAt ?? 0
  const shown = screen?.shows === 'background' && screen.at > prompted
  if (!listed && prompted > (startedAt ?? 0) && !shown) return false
  // SPEC B6. The client reports idle only when nothing of its own runs.
  return !(
    selfReport?.status === 'idle' &&
    !selfReport.turnOnly &&
    selfReport.at > (startedAt ?? 0)
  )
}

/** Tools begun and not ended in the turn that is open, the main agent's and its subagents'. */
export function openTools(facts: Facts, turnOpenSince: number | undefined): readonly Tool[] {
  if (facts.tools.length === 0) return facts.tools
  return facts.tools.filter((tool) => {
    if (tool.endedAt !== undefined || tool.startedAt === undefined) return false
    if (tool.actor !== undefined) {
      const task = facts.tasks.find((entry) => entry.id === tool.actor)
      return task === undefined || isOpen(facts, task)
    }
    if (turnOpenSince === undefined) return false
    // A tool left open by an interrupted turn does not belong to this turn.
    return tool.startedAt >= turnOpenSince - HOOK_LAG_MS
  })
}
