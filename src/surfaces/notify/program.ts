import { type ChildProcess, spawn } from 'node:child_process'
import type { Env } from '../../agents/agent.ts'
import { pathTo, trustedPath } from '../../platform/programs.ts'

export interface ProgramOutcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** How much of a program's output is kept. */
const OUTPUT_MAX = 10_000

/** The output has arrived this soon after the program's end. */
const OUTPUT_AFTER_MS = 200

/** Runs a program to its end; `signal` ends it and all programs it started. */
export function run(
  program: string,
  args: readonly string[],
  { env, signal }: { readonly env: Env; readonly signal: AbortSignal },
): Promise<ProgramOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(pathTo(program, env), args, {
      env: { ...env, PATH: trustedPath(env) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const onAbort = () => endGroup(child)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    const out = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (chunk) => {
        if (out[name].length < OUTPUT_MAX) out[name] += chunk
      })
    const over = () => signal.removeEventListener('abort', onAbort)
    child.once('error', (error) => {
      over()
      reject(error)
    })
    const ended = (code: number | null) => {
      over()
      resolve({ code, ...out })
    }
    child.once('close', ended)
    // A program that it left running may hold its output open for ever.
    child.once('exit', (code) => setTimeout(() => ended(code), OUTPUT_AFTER_MS).unref())
  })
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The program has just ended.
  }
}
