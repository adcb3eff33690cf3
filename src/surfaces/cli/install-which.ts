import type { Agent, Env } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/index.ts'
import type { Setup } from '../../agents/setup.ts'
import type { Folders } from '../../home/folders.ts'
import type { InstalledClient } from '../../install/client.ts'
import { oldestClient } from '../../install/clients.ts'
import { homesFor } from '../../install/homes.ts'
import type { Target } from '../../install/plan.ts'
import { agentsHere } from './agents-here.ts'
import { BadInput } from './bad-input.ts'

/**
 * The options about agents; the option named like an agent's command has the path of its client.
 */
export interface Named {
  readonly [option: string]: unknown
  readonly agent?: string
  readonly configDir: readonly string[]
}

export type SettableAgent = Agent & { readonly setup: Setup }

export interface ChosenAgent {
  readonly agent: SettableAgent
  readonly client: InstalledClient | undefined
  readonly target: Target
}

/** Agents that can be set up. */
export function settable(): SettableAgent[] {
  return AGENTS.filter(isSettable)
}

function isSettable(agent: Agent): agent is SettableAgent {
  return agent.setup !== undefined
}

/** SPEC AG4. The named agent, or else all that are found here. */
export function chosenFor(named: Named, env: Env, folders: Folders): ChosenAgent[] {
  const { agent: only, configDir } = named
  const chosen = agentsHere({ env, folders, only, clients: named }).flatMap((here) => {
    const { agent, client, clients, isFound } = here
    return isSettable(agent) && (only || isFound) ? [{ agent, client, clients }] : []
  })
  const ids = (agents: readonly Agent[]) => agents.map(({ id }) => id).join(', ')
  if (chosen.length === 0)
    throw new BadInput(
      `no agent was found on this machine; choose one with --agent: ${ids(settable())}`,
    )
  if (configDir.length > 0 && chosen.length > 1)
    throw new BadInput(
      `--config-dir: choose its agent with --agent: ${ids(chosen.map(({ agent }) => agent))}`,
    )
  return chosen.map(({ agent, client, clients }) => {
    const target = targetOf(agent, named, env, folders)
    const oldest = target.homes.map((home) => [home, oldestClient(agent, home, clients)] as const)
    return { agent, client, target: { ...target, oldest: Object.fromEntries(oldest) } }
  })
}

/** The named agent, or else all, found or not. */
export function allFor(named: Named, env: Env, folders: Folders): Target[] {
  const agents = settable().filter(({ id }) => named.agent === undefined || id === named.agent)
  return agents.map((agent) => targetOf(agent, named, env, folders))
}

function targetOf(agent: SettableAgent, { configDir }: Named, env: Env, folders: Folders): Target {
  const { id, setup } = agent
  return { agent: id, setup, homes: homesFor(agent, configDir, env, folders) }
}
