import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import type { Agent, Env } from '../agents/agent.ts'
import { type CheckFinding, finding } from '../agents/finding.ts'
import type { CheckedHome, MachineReader } from '../agents/setup.ts'
import { EditRefused } from '../edit/refused.ts'
import type { Folders } from '../home/folders.ts'
import { askClient, type InstalledClient } from './client.ts'
import { readNote } from './note.ts'
import { foundIn, homeContextOf, textsOf } from './plan.ts'

/** SPEC CM12. Whether what was installed in these homes is in force; writes nothing. */
export async function checkSetup(
  agent: Agent,
  homes: readonly string[],
  client: InstalledClient | undefined,
  { folders, env }: { readonly folders: Folders; readonly env: Env },
): Promise<CheckFinding[]> {
  const { setup } = agent
  if (!setup) return []
  const note = readNote(folders)
  const unreadable: CheckFinding[] = []
  const checked: CheckedHome[] = []
  for (const home of homes)
    try {
      const place = homeContextOf(
        { agent: agent.id, version: client?.version },
        home,
        folders,
        note,
      )
      checked.push({ ...place, texts: textsOf(foundIn(setup, home)) })
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error
      const todo = `put the files of ${agent.title} in ${home} right`
      unreadable.push(finding.problem('hooks', error.message, todo))
    }
  return [...unreadable, ...(await setup.check(checked, lookOf(client, env)))]
}

function lookOf(client: InstalledClient | undefined, env: Env): MachineReader {
  const home = env.HOME || homedir()
  return {
    platform: process.platform,
    shown: (path) => (path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path),
    read: (path) => orNone(() => readFileSync(path, 'utf8')),
    names: (folder) => orNone(() => readdirSync(folder)) ?? [],
    ask: async (args, input) => client && askClient(client.path, args, env, input),
  }
}

function orNone<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
