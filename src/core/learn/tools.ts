import type { Facts, Task, Tool } from '../facts.ts'
import { TASKS_MAX, TOOLS_ENDED_MAX, TOOLS_MAX } from '../limits.ts'
import type { SignalOf } from '../signal.ts'
import { bounded, earliest, latest, newest, upsert } from './mark.ts'
import { turnMark, withTurn } from './turn.ts'

/**
 * A tool is reported twice, by hook and transcript, in either order and seconds apart. Its start is
 * the earliest report, its end the latest, so a transcript written late cannot reopen a tool that
 * has ended (SPEC T7).
 */
export function learnTool(facts: Facts, signal: SignalOf<'tool-started' | 'tool-ended'>): Facts {
  const tools = upsert(
    facts.tools,
    (tool) => tool.id === signal.id,
    (tool) => (signal.kind === 'tool-started' ? begun(tool, signal) : finished(tool, signal)),
  )
  const known = { ...facts, tools: withoutOldest(tools) }
  if (signal.kind === 'tool-started') return began(known, signal)
  if (signal.actor !== undefined) return known
  return withTurn(known, { touched: newest(known.turn.touched, turnMark(signal)) })
}

function withoutOldest(tools: Tool[]): Tool[] {
  let ended = 0
  for (const tool of tools) if (tool.endedAt !== undefined) ended += 1
  const max = ended > TOOLS_ENDED_MAX ? tools.length - 1 : TOOLS_MAX
  return bounded(tools, max, (tool) => [
    tool.endedAt === undefined,
    tool.endedAt ?? tool.startedAt ?? 0,
  ])
}

/** SPEC W5. The whole batch has returned: none of its tools can still be waiting for permission. */
export function learnSettled(facts: Facts, signal: SignalOf<'tools-settled'>): Facts {
  if (signal.actor === undefined)
    return withTurn(facts, { settledAt: Math.max(facts.turn.settledAt ?? signal.at, signal.at) })
  return withActor(facts, signal.actor, (task) => ({
    ...task,
    settledAt: Math.max(task.settledAt ?? signal.at, signal.at),
  }))
}

export function learnSpoke(facts: Facts, signal: SignalOf<'spoke'>): Facts {
  if (signal.actor === undefined)
    return withTurn(facts, { spoke: newest(facts.turn.spoke, turnMark(signal, signal.turn)) })
  return withActor(facts, signal.actor, (task) => ({
    ...task,
    spokeAt: Math.max(task.spokeAt ?? signal.at, signal.at),
  }))
}

export function withActor(facts: Facts, id: string, change: (task: Task) => Task): Facts {
  const tasks = upsert(
    facts.tasks,
    (task) => task.id === id,
    (task) => change(task ?? { id }),
  )
  return {
    ...facts,
    tasks: bounded(tasks, TASKS_MAX, (task) => [
      task.endedAt === undefined,
      task.endedAt ?? task.startedAt ?? 0,
    ]),
  }
}

/** SPEC B2. A subagent's tools say nothing about the main agent's turn. */
function began(facts: Facts, signal: SignalOf<'tool-started'>): Facts {
  if (signal.actor !== undefined) return withActor(facts, signal.actor, (task) => task)
  const active = newest(facts.turn.active, turnMark(signal, signal.turn))
  if (signal.quiet) return withTurn(facts, { active })
  return withTurn(facts, { active, workedAt: Math.max(facts.turn.workedAt ?? 0, signal.at) })
}

function begun(tool: Tool | undefined, signal: SignalOf<'tool-started'>): Tool {
  const startedAt = earliest(tool?.startedAt, signal.at)
  const label = tool?.label ?? signal.label
  const actor = tool?.actor ?? signal.actor
  return {
    ...tool,
    id: signal.id,
    name: signal.name,
    // Only hooks fingerprint the input; the transcript's copy may be cut or rewritten.
    input: tool?.input || signal.input,
    ...(label !== undefined && { label }),
    ...(actor !== undefined && { actor }),
    ...(startedAt !== undefined && { startedAt }),
  }
}

function finished(tool: Tool | undefined, signal: SignalOf<'tool-ended'>): Tool {
  const endedAt = latest(tool?.endedAt, signal.at)
  const actor = tool?.actor ?? signal.actor
  return {
    name: '',
    input: '',
    ...tool,
    id: signal.id,
    ...(actor !== undefined && { actor }),
    ...(endedAt !== undefined && { endedAt }),
  }
}
