import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { UNNAMED_AGENT } from '../../src/agents/index.ts'
import { writeHook } from '../../src/install/scripts.ts'
import { type DaemonHome, until } from './daemon.ts'

const vigil = fileURLToPath(new URL('../../bin/vigil.js', import.meta.url))

/** The real hook as a client runs it for a dialog, waiting for an answer. */
export interface WaitingHook {
  readonly pid: number
  /** What it prints to its client when it ends; nothing if it left the answer to the terminal. */
  readonly said: Promise<string>
  readonly killClient: () => void
  /** Ends the hook and the process that stands for its client. */
  readonly end: () => void
}

/** A client's dialog opens: its hook runs, and waits. */
export async function hookAsks(
  home: DaemonHome,
  session: string,
  tool: string,
  input: object,
  suggestions: readonly object[] = [],
): Promise<WaitingHook> {
  await until('hooks wait', () => home.hooksWait())
  const hook = writeHook(home.folders, UNNAMED_AGENT, { node: process.execPath, vigil })
  const payload = {
    session_id: session,
    cwd: `/home/ada/${session}`,
    hook_event_name: 'PermissionRequest',
    tool_name: tool,
    tool_input: input,
    permission_suggestions: suggestions,
  }
  // Stands for the client; the session lives as long as this process.
  const client = spawn('sleep', ['600'], { stdio: 'ignore' })
  const child = spawn('/bin/sh', [hook, 'answer', 'request'], {
    env: { ...home.env, CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_PID: String(client.pid) },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const said = new Promise<string>((resolve) => child.once('close', () => resolve(text)))
  child.stdin.end(`${JSON.stringify(payload)}\n`)
  await until('the request is known', async () => {
    const known = await home.client.session(session)
    return (known?.asks.length ?? 0) > 0 || child.exitCode !== null
  })
  return {
    pid: child.pid ?? 0,
    said,
    killClient: () => void client.kill('SIGKILL'),
    end: () => {
      child.kill('SIGKILL')
      client.kill('SIGKILL')
    },
  }
}
