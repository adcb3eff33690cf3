import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

export interface GroupOutcome {
  /** Null if a signal ended it, or it could not be started. */
  readonly exitCode: number | null
  /** The end of its output, up to the limit. */
  readonly stdout: string
  readonly stderr: string
  /** Part of its output was dropped. */
  readonly cut: boolean
  readonly timedOut: boolean
  /** Why it could not be started. */
  readonly trouble?: string
}

interface RunOptions {
  readonly cwd: string
  readonly timeoutMs: number
  readonly keptBytesMax: number
  readonly env?: NodeJS.ProcessEnv
}

/** The time to exit in order after a signal. */
const GRACE_MS = 2_000
/**
 * The last output arrives after the exit; a process that lives on may hold the pipe open for good.
 */
const DRAIN_MS = 200
const LOOK_MS = 20

/**
 * The command begins when its guard is there: this process can be killed in between. The end of
 * the pipe without a line ends the command before it began.
 */
const WAITS_FOR_GUARD = 'read -r _ <&3 || exit; exec 3<&-; exec "$@"'

/**
 * SPEC LP38. Runs a command in its own process group, so that everything it started ends with it:
 * when its time is up, when it leaves a process running, and when this process ends.
 */
export async function runGroup(
  /** An absolute path. */
  program: string,
  args: readonly string[],
  { cwd, timeoutMs, keptBytesMax, env = process.env }: RunOptions,
): Promise<GroupOutcome> {
  // For a missing folder the system reports that the program is missing.
  if (!existsSync(cwd)) return notStarted(`${cwd}: no such folder`)
  if (!existsSync(program)) return notStarted(`${program}: no such command`)
  const words = ['-c', WAITS_FOR_GUARD, 'sh', program, ...args]
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const
  // First the signals: one between the start and this would leave the command running.
  const heeded: { child?: ChildProcess } = {}
  const stopHeeding = heedEnd(heeded)
  const child = spawn('/bin/sh', words, { cwd, env, detached: true, stdio: [...stdio] })
  heeded.child = child
  const dismiss = guardGroup(child)
  begin(child)
  const stdout = new Tail(keptBytesMax)
  const stderr = new Tail(keptBytesMax)
  child.stdout?.on('data', (chunk: Buffer) => stdout.add(chunk))
  child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk))
  running.add(child)
  try {
    const ended = await endWithin(child, timeoutMs)
    if ('trouble' in ended) return notStarted(`${program}: ${ended.trouble}`)
    const output = { stdout: stdout.text(), stderr: stderr.text(), cut: stdout.cut || stderr.cut }
    return { ...ended, ...output }
  } finally {
    running.delete(child)
    stopHeeding()
    dismiss()
    for (const stream of child.stdio) stream?.destroy()
  }
}

const running = new Set<ChildProcess>()

/** Ends all running groups at once, because the time for all of them is up. */
export function endGroups(): void {
  for (const child of running) signalGroup(child, 'SIGKILL')
}

function notStarted(trouble: string): GroupOutcome {
  return { exitCode: null, stdout: '', stderr: '', cut: false, timedOut: false, trouble }
}

type Ended =
  | { readonly exitCode: number | null; readonly timedOut: boolean }
  | { readonly trouble: string }

async function endWithin(child: ChildProcess, timeoutMs: number): Promise<Ended> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const exited = new Promise<Ended>((resolve) => {
    child.once('error', ({ message }) => resolve({ trouble: message }))
    child.once('exit', (exitCode) => resolve({ exitCode, timedOut: false }))
  })
  const clock = new AbortController()
  const late = sleep(timeoutMs, 'late' as const, { signal: clock.signal }).catch(() => exited)
  const first = await Promise.race([exited, late])
  clock.abort()
  if (first !== 'late' && 'trouble' in first) return first
  if (first !== 'late') await Promise.race([closed, sleep(DRAIN_MS)])
  await endGroup(child)
  return first === 'late' ? { exitCode: null, timedOut: true } : first
}

/**
 * First SIGTERM, then SIGKILL; if the group has no other process and has ended, it costs nothing.
 */
async function endGroup(child: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + GRACE_MS
  let isThere = signalGroup(child, 'SIGTERM')
  while (isThere && performance.now() < giveUpAt) {
    await sleep(LOOK_MS)
    isThere = signalGroup(child, 0)
  }
  if (isThere) signalGroup(child, 'SIGKILL')
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal)
  } catch {
    return false
  }
}

/** The command has its own group: a signal that ends this process would leave it running. */
function heedEnd(heeded: { readonly child?: ChildProcess }): () => void {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const
  const end = (signal: NodeJS.Signals) => {
    if (heeded.child) signalGroup(heeded.child, 'SIGKILL')
    for (const name of signals) process.removeListener(name, end)
    process.kill(process.pid, signal)
  }
  for (const name of signals) process.on(name, end)
  return () => {
    for (const name of signals) process.removeListener(name, end)
  }
}

/**
 * A client may kill its hook with a signal that this process cannot handle: seen at an
 * interrupt (0.166.0). So a shell waits for the end of a pipe from this process, and then ends the
 * group.
 */
function guardGroup({ pid }: ChildProcess): () => void {
  if (pid === undefined) return () => {}
  const line = 'read -r _; kill -s KILL -- "-$1"'
  const stdio = ['pipe', 'ignore', 'ignore'] as const
  const options = { detached: true, stdio: [...stdio], env: {}, cwd: '/' }
  const guard = spawn('/bin/sh', ['-c', line, 'sh', String(pid)], options)
  guard.on('error', () => {})
  return () => guard.kill('SIGKILL')
}

function begin(child: ChildProcess): void {
  const gate = child.stdio[3] as Writable | null | undefined
  // It may have been killed before.
  gate?.on('error', () => {})
  gate?.end('\n')
}

/** The last bytes of a stream. */
class Tail {
  readonly #max: number
  #chunks: Buffer[] = []
  #bytes = 0
  cut = false

  constructor(max: number) {
    this.#max = max
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes < this.#max * 2) return
    const kept = this.#end()
    this.#chunks = [kept]
    this.#bytes = kept.length
  }

  text(): string {
    const end = this.#end()
    // The cut may go through a character; the rest of that character is dropped.
    const first = this.cut ? end.findIndex((byte) => (byte & 0xc0) !== 0x80) : 0
    return end.subarray(Math.max(first, 0)).toString()
  }

  #end(): Buffer {
    const all = Buffer.concat(this.#chunks)
    this.cut ||= all.length > this.#max
    return all.subarray(Math.max(0, all.length - this.#max))
  }
}
