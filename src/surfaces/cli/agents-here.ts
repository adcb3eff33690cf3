import { existsSync } from 'node:fs'
import type { Agent, Env } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/index.ts'
import type { Folders } from '../../home/folders.ts'
import {
  findClient,
  type InstalledClient,
  namedClient,
  otherClients,
} from '../../install/client.ts'
import { homesFor } from '../../install/homes.ts'
import type { Health } from '../../protocol/daemon.ts'

/** An agent, and what of it is on this machine. */
export interface AgentHere {
  readonly agent: Agent
  readonly client: InstalledClient | undefined
  /** This client and others whose version counts. */
  readonly clients: readonly InstalledClient[]
  /** Its own config folder, and others that sessions used or vigil is installed in. */
  readonly homes: readonly string[]
  readonly isFound: boolean
}

interface Where {
  readonly env: Env
  readonly folders: Folders
  /** From a running daemon. */
  readonly health?: Health | undefined
  /** Only this agent. */
  readonly only?: string | undefined
  /** Paths of clients that the user named, by command. */
  readonly clients?: Readonly<Record<string, unknown>>
}

/**
 * SPEC AG2. Every supported agent. An agent counts as found if its program or one of its homes
 * exists.
 */
export function agentsHere({ env, folders, health, only, clients = {} }: Where): AgentHere[] {
  const wanted = AGENTS.filter(({ id }) => only === undefined || id === only)
  return wanted.map((agent) => {
    // The daemon remembers folders that no longer exist.
    const known = health?.agents[agent.id]?.homes.filter((home) => existsSync(home)) ?? []
    const homes = [...new Set([...homesFor(agent, [], env, folders), ...known])]
    const named = clients[agent.command]
    const client = typeof named === 'string' ? namedClient(named, env) : findClient(agent, env)
    const others = typeof named === 'string' ? [] : otherClients(agent, env, client)
    const isFound = client !== undefined || homes.some((home) => existsSync(home))
    return { agent, client, clients: client ? [client, ...others] : others, homes, isFound }
  })
}
