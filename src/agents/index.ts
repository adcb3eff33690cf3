import type { Report, Signal } from '../core/signal.ts'
import type { InputLayout } from '../protocol/request.ts'
import type { Agent, Env } from './agent.ts'
import { claude } from './claude/index.ts'
import { codex } from './codex/index.ts'
import type { LoopHolding } from './loops.ts'
import { fields } from './read.ts'
import type { ToolCall } from './records.ts'

/** Every agent that vigil knows, one per line. */
export const AGENTS: Agent[] = [claude, codex]

/** Reports, logs, spool files and recordings without an agent belong to the first one. */
export const UNNAMED_AGENT = claude.id

export function agentOf(id: unknown): Agent | undefined {
  const named = id ?? UNNAMED_AGENT
  return AGENTS.find((agent) => agent.id === named)
}

/** The variable that passes an agent's home, from the agent's own variable, to the daemon. */
export function folderVariableOf(id: string): string {
  const name = 'VIGIL_AGENT_FOLDER'
  return id === UNNAMED_AGENT ? name : `${name}_${id.toUpperCase().replaceAll('-', '_')}`
}

/** The homes in this environment, under vigil's own variables. */
export function foldersNamedIn(env: Env): Readonly<Record<string, string>> {
  const named = AGENTS.flatMap(({ id, variables }) => {
    const home = variables.home === undefined ? undefined : env[variables.home]
    return home ? [[folderVariableOf(id), home]] : []
  })
  return Object.fromEntries(named)
}

export function loopOf(id: unknown): LoopHolding | undefined {
  return agentOf(id)?.loop
}

/** How the fields of a tool's input are drawn; in order where the agent has no layout. */
export function layoutOf(agent: string, call: ToolCall): InputLayout {
  const layout = agentOf(agent)?.answers?.layoutOf(call.tool, fields(call.input))
  return layout ?? { parts: [], explains: [] }
}

/** The agent that holds sessions in a process with these arguments. */
export function clientIn(argv: readonly string[]): Agent | undefined {
  return AGENTS.find(({ recognise }) => recognise(argv) === 'client')
}

/**
 * SPEC X12. Translated by the report's own agent; a report of an unknown agent gives no signals.
 */
export function translate(report: Report): readonly Signal[] {
  return agentOf(report?.agent)?.translate(report) ?? []
}
