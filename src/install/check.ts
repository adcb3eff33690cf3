import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import type { Agent, Env } from '../agents/agent.ts'
import { type CheckFinding, finding } from '../agents/finding.ts'
import type { CheckedHome, MachineReader } from '../agents/setup.ts'
import { EditRefused } from '../edit/refused.ts'
import type { Folders } from '../home/folders.ts'
import { SYSTEM } from '../platform/system.ts'
import { askClient, converseWith, type InstalledClient } from './client.ts'
import { oldestClient } from './clients.ts'
import { homesFor } from './homes.ts'
import { readNote } from './note.ts'
import { foundIn, homeContextOf, textsOf } from './plan.ts'

/** SPEC CM12. Whether the installed parts are in force in these homes; writes nothing. */
export async function checkSetup(
  agent: Agent,
  homes: readonly string[],
  clients: readonly InstalledClient[],
  { folders, env }: { readonly folders: Folders; readonly env: Env },
): Promise<CheckFinding[]> {
  const { setup } = agent
  if (!setup) return []
  const note = readNote(folders)
  const covered = homesFor(agent, [], env, folders)
  const look = lookOf(clients[0], env)
  const unreadable: CheckFinding[] = []
  const checked: CheckedHome[] = []
  for (const home of homes)
    try {
      const { version, seen } = oldestClient(agent, home, clients) ?? {}
      const place = homeContextOf({ agent: agent.id, version }, home, folders, note)
      // The user must name a home that install does not find by itself.
      const named = covered.includes(home) ? '' : ` --config-dir ${look.shown(home)}`
      const texts = textsOf(foundIn(setup, home))
      checked.push({ ...place, texts, seen, cure: `vigil install${named}` })
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error
      const todo = `fix the files of ${agent.title} in ${home}`
      unreadable.push(finding.problem('hooks', error.message, todo))
    }
  return [...unreadable, ...(await setup.check(checked, look))]
}

function lookOf(client: InstalledClient | undefined, env: Env): MachineReader {
  const home = env.HOME || homedir()
  return {
    platform: SYSTEM,
    shown: (path) => (path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path),
    read: (path) => orNone(() => readFileSync(path, 'utf8')),
    names: (folder) => orNone(() => readdirSync(folder)) ?? [],
    ask: async (args, input = '', until = undefined) => {
      if (!client) return undefined
      return until
        ? converseWith(client.path, args, env, input, until)
        : askClient(client.path, args, env, input)
    },
  }
}

function orNone<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
