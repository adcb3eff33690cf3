import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { err } from './output.ts'
import { END_SIGNALS, startInOurPlace } from './pass-signals.ts'

/** The longest wait for a client that never closes its end; then the input so far is passed on. */
const STDIN_MAX_MS = 5_000

/** All of stdin; empty if stdin is a terminal. */
export async function readAll(stdin: NodeJS.ReadStream): Promise<Buffer> {
  if (stdin.isTTY) return Buffer.alloc(0)
  const chunks: Buffer[] = []
  const ended = new Promise<void>((resolve) => {
    stdin.on('data', (chunk: Buffer) => chunks.push(chunk))
    stdin.on('end', resolve)
    stdin.on('error', () => resolve())
  })
  const late = new AbortController()
  await Promise.race([ended, sleep(STDIN_MAX_MS, undefined, { signal: late.signal })])
  late.abort()
  stdin.destroy()
  return Buffer.concat(chunks)
}

/**
 * Runs the user's command as if it were called directly: its output and its exit are those of this
 * process.
 */
export async function passThrough(
  program: string,
  args: readonly string[],
  input: Buffer,
): Promise<void> {
  const start = () => spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'] })
  // The client ends a slow update by a signal.
  const child = startInOurPlace(start, END_SIGNALS)
  // A command that does not read its input has closed it.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const { code, signal } = await endOf(child, program)
  if (signal) {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
    await sleep(1_000)
  }
  process.exit(code ?? 1)
}

interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** As a shell ends that cannot start a command. */
function endOf(child: ChildProcess, program: string): Promise<End> {
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve({ code, signal }))
    child.on('error', ({ code }: NodeJS.ErrnoException) => {
      const missing = code === 'ENOENT'
      const why = missing ? 'no such command in PATH' : `cannot be started (${code})`
      err.line(`vigil: ${program}: ${why}`)
      resolve({ code: missing ? 127 : 126, signal: null })
    })
  })
}
