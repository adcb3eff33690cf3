import { mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Env } from '../agents/agent.ts'
import { jsonInFile } from '../home/plain-file.ts'
import { namedClient } from './client.ts'

/**
 * The version of a client that is about to be started. Running the client for its version takes as
 * long as starting it, so the version is cached while the program is the same file.
 */
export function rememberedVersion(program: string, env: Env, file: string): string | undefined {
  const known = readKnown(file)
  const asked = program.includes('/') ? program : pathOf(program, env)
  const mark = asked && markOf(asked)
  if (mark !== undefined && known[mark] !== undefined) return known[mark]
  const version = ask(program, env)
  if (mark !== undefined && version !== undefined) keep(file, { ...known, [mark]: version })
  return version
}

function ask(program: string, env: Env): string | undefined {
  try {
    return namedClient(program, env).version
  } catch {
    return undefined
  }
}

function pathOf(program: string, env: Env): string | undefined {
  const folders = (env.PATH ?? '').split(':').filter(Boolean)
  return folders.map((folder) => `${folder}/${program}`).find((path) => markOf(path) !== undefined)
}

/** Identifies the file behind all links: an update is another file, or a newer one. */
function markOf(path: string): string | undefined {
  try {
    const real = realpathSync(path)
    const { mtimeMs, size } = statSync(real)
    return `${real} ${mtimeMs} ${size}`
  } catch {
    return undefined
  }
}

function readKnown(file: string): Readonly<Record<string, string>> {
  const known = jsonInFile(file)
  return typeof known === 'object' && known !== null ? (known as Record<string, string>) : {}
}

/** Enough for the clients in use; the entries of old versions are dropped. */
const KEPT_MAX = 8

function keep(file: string, known: Readonly<Record<string, string>>): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const kept = Object.fromEntries(Object.entries(known).slice(-KEPT_MAX))
    writeFileSync(file, JSON.stringify(kept), { mode: 0o600 })
  } catch {
    // The next call tries again.
  }
}
