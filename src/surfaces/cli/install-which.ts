import type { Agent, Env } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/index.ts'
import type { Setup } from '../../agents/setup.ts'
import type { Folders } from '../../home/folders.ts'
import { findClient, type InstalledClient, namedClient } from '../../install/client.ts'
import { homesFor, isFound } from '../../install/homes.ts'
import type { Target } from '../../install/plan.ts'
import { BadInput } from './bad-input.ts'

/** What was typed about agents; under an agent's command the path of its client. */
export interface Named {
  readonly [option: string]: unknown
  readonly agent?: string
  readonly configDir: readonly string[]
}

export type SettableAgent = Agent & { readonly setup: Setup }

export interface Chosen {
  readonly agent: SettableAgent
  readonly client: InstalledClient | undefined
  readonly target: Target
}

/** Agents that can be set up. */
export function settable(): SettableAgent[] {
  return AGENTS.filter((agent): agent is SettableAgent => agent.setup !== undefined)
}

/** SPEC AG4. The agent that is named, else all that are found here. */
export function chosenFor(named: Named, env: Env, folders: Folders): Chosen[] {
  const all = namedAgents(named).map((agent) => ({ agent, client: clientOf(agent, named, env) }))
  const found = all.filter(
    ({ agent, client }) => named.agent || isFound(agent, client !== undefined, env, folders),
  )
  if (found.length === 0)
    throw new BadInput(`no agent was found here; --agent says which to set up: ${ids(settable())}`)
  if (named.configDir.length > 0 && found.length > 1)
    throw new BadInput(`--config-dir: --agent says whose: ${ids(found.map(({ agent }) => agent))}`)
  return found.map(({ agent, client }) => {
    return { agent, client, target: targetOf(agent, named, env, folders, client?.version) }
  })
}

/** The agent that is named, else all, found or not. */
export function allFor(named: Named, env: Env, folders: Folders): Target[] {
  return namedAgents(named).map((agent) => targetOf(agent, named, env, folders))
}

function namedAgents({ agent: id }: Named): SettableAgent[] {
  return settable().filter((agent) => id === undefined || agent.id === id)
}

function targetOf(
  { setup, ...agent }: SettableAgent,
  { configDir }: Named,
  env: Env,
  folders: Folders,
  version?: string,
): Target {
  return { agent: agent.id, setup, homes: homesFor(agent, configDir, env, folders), version }
}

function clientOf(agent: Agent, named: Named, env: Env): InstalledClient | undefined {
  const path = named[agent.command]
  return typeof path === 'string' ? namedClient(path, env) : findClient(agent, env)
}

function ids(agents: readonly Agent[]): string {
  return agents.map(({ id }) => id).join(', ')
}
