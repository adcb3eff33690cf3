import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { err } from './output.ts'
import { ASKED_TO_END, startInOurPlace } from './pass-signals.ts'

/** A client that never closes its end is not waited for longer; what came is passed on. */
const STDIN_MAX_MS = 5_000

/** All of stdin. Where a person sits at it nothing comes, and nothing is waited for. */
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

/** The user's command as if nothing stood between: its output is ours, and so is its end. */
export async function passThrough(
  program: string,
  args: readonly string[],
  input: Buffer,
): Promise<void> {
  const start = () => spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'] })
  // The client ends an update that takes too long by a signal.
  const child = startInOurPlace(start, ASKED_TO_END)
  // Who does not read what he is given has closed it.
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

/** As a shell would end that cannot start it. */
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
