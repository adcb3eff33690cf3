import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The command of this very code, wherever it was installed. */
export const COMMAND = fileURLToPath(new URL('../../bin/vigil.js', import.meta.url))

type Env = Readonly<Record<string, string | undefined>>

/**
 * Starts a daemon that outlives whoever asked for it: its own session, no terminal, no open file.
 * Of several started at once the lock lets one stay.
 */
export function startDetached(env: Env = process.env): void {
  const child = spawn(process.execPath, [COMMAND, 'daemon', '--quiet'], {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
    env: daemonEnv(env),
  })
  // Who asked will find that nobody answers, and says so.
  child.on('error', () => {})
  child.unref()
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
