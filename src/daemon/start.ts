import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

/** The command of this very code, wherever it was installed. */
export const COMMAND = fileURLToPath(new URL('../../bin/vigil.js', import.meta.url))

type Env = Readonly<Record<string, string | undefined>>

export interface Left {
  readonly code: number | null
  /** Why it could not go on, in words for its user. */
  readonly said: string
}

/** More than any message holds. */
const SAID_MAX_CHARS = 4_000

/**
 * Starts a daemon that outlives whoever asked for it: its own session, no terminal. Of several
 * started at once the lock lets one stay. Resolves when it leaves while who asked is still there.
 */
export function startDetached(env: Env = process.env): Promise<Left> {
  const child = spawn(process.execPath, [COMMAND, 'daemon', '--quiet'], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: daemonEnv(env),
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-SAID_MAX_CHARS)
  })
  child.unref()
  // Node has it as a plain stream; it is a socket, and must not keep who asked.
  ;(child.stderr as unknown as Socket).unref()
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, said: error.message }))
    child.on('close', (code) => resolve({ code, said: said.trim() }))
  })
}

/**
 * What is started from within an agent must not look like the agent's child: a client that inherits
 * these variables hides its session. The folder of its settings is kept, under a name of ours.
 */
export function daemonEnv(env: Env): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && !/^(CLAUDE|ANTHROPIC)/.test(name)) kept[name] = value
  if (env.CLAUDE_CONFIG_DIR) kept.VIGIL_AGENT_FOLDER = env.CLAUDE_CONFIG_DIR
  return kept
}
