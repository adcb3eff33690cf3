import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Folders } from '../home/folders.ts'
import { readNote } from './note.ts'

type Env = Readonly<Record<string, string | undefined>>

/** SPEC I9. Those given; else the client's own and those that hold vigil's hooks already. */
export function configDirsFor(given: readonly string[], env: Env, folders: Folders): string[] {
  if (given.length > 0) return [...new Set(given.map((dir) => resolve(dir)))]
  const known = Object.keys(readNote(folders).places).filter((dir) => existsSync(dir))
  return [...new Set([configDirOf(env), ...known])]
}

/** Where the client keeps its settings. */
export function configDirOf(env: Env): string {
  return env.CLAUDE_CONFIG_DIR
    ? resolve(env.CLAUDE_CONFIG_DIR)
    : join(env.HOME || homedir(), '.claude')
}
