import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import type { Agent, Env } from '../agents/agent.ts'
import { type Finding, problem } from '../agents/finding.ts'
import type { Checked, Look } from '../agents/setup.ts'
import { Refused } from '../edit/refused.ts'
import type { Folders } from '../home/folders.ts'
import { ask, type InstalledClient } from './client.ts'
import { readNote } from './note.ts'
import { foundIn, placeOf, textsOf } from './plan.ts'

/** SPEC CM12. Whether what was installed in these homes is in force; writes nothing. */
export async function checkSetup(
  agent: Agent,
  homes: readonly string[],
  client: InstalledClient | undefined,
  { folders, env }: { readonly folders: Folders; readonly env: Env },
): Promise<Finding[]> {
  const { setup } = agent
  if (!setup) return []
  const note = readNote(folders)
  const unreadable: Finding[] = []
  const checked: Checked[] = []
  for (const home of homes)
    try {
      const place = placeOf({ agent: agent.id, version: client?.version }, home, folders, note)
      checked.push({ ...place, texts: textsOf(foundIn(setup, home)) })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const todo = `put the files of ${agent.title} in ${home} right`
      unreadable.push(problem('hooks', error.message, todo))
    }
  return [...unreadable, ...(await setup.check(checked, lookOf(client, env)))]
}

function lookOf(client: InstalledClient | undefined, env: Env): Look {
  const home = env.HOME || homedir()
  return {
    platform: process.platform,
    shown: (path) => (path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path),
    read: (path) => orNone(() => readFileSync(path, 'utf8')),
    names: (folder) => orNone(() => readdirSync(folder)) ?? [],
    ask: async (args, input) => client && ask(client.path, args, env, input),
  }
}

function orNone<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
