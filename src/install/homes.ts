import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { Agent, Env } from '../agents/agent.ts'
import type { Folders } from '../home/folders.ts'
import { homesIn, readNote } from './note.ts'

/**
 * SPEC I9. The given homes; otherwise the agent's own home and those in which it is set up already.
 */
export function homesFor(
  agent: Agent,
  given: readonly string[],
  env: Env,
  folders: Folders,
): string[] {
  if (given.length > 0) return [...new Set(given.map((dir) => resolve(dir)))]
  const known = Object.keys(homesIn(readNote(folders), agent.id)).filter((dir) => existsSync(dir))
  return [...new Set([...agent.homes(env, env.HOME || homedir()), ...known])]
}
