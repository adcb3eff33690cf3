import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { daemonCommand } from '../home/daemon-command.ts'
import { daemonEnv } from '../home/daemon-env.ts'
import { foldersOf } from '../home/folders.ts'
import { fileText } from '../home/plain-file.ts'
import { isThere } from '../platform/is-there.ts'
import { startByHolder, startErrorFile } from './holder.ts'
import { startService } from './start-service.ts'

/** The command of this installation. */
export const COMMAND = fileURLToPath(new URL('../../bin/vigil.js', import.meta.url))

type Env = Readonly<Record<string, string | undefined>>

export interface Left {
  readonly code: number | null
  /** Why the daemon could not continue, in words for the user. */
  readonly said: string
}

/** Longer than any message. */
const SAID_MAX_CHARS = 4_000

/**
 * Starts a daemon that outlives the caller: its own session, no terminal. If several are started at
 * once, the lock lets one of them run. Resolves when the daemon ends while the caller still runs.
 * If a holder runs, it starts the daemon, which then has the address that browsers signed in under.
 */
export async function startDetached(env: Env = process.env): Promise<Left> {
  // The service manager watches the daemon: this process gets no news of its end.
  if (await startService(env)) return new Promise(() => {})
  const folders = foldersOf(env)
  const said = startErrorFile(folders)
  const isAsked = startByHolder(folders, [process.execPath, COMMAND, said])
  return isAsked ? leftBy(said) : startDirectly(env)
}

/** The same for a caller that does not wait for the reason of a failed start. */
export async function startWithoutWaiting(env: Env = process.env): Promise<void> {
  if (await startService(env)) return
  if (!startByHolder(foldersOf(env), [process.execPath, COMMAND])) void startDirectly(env)
}

const LOOK_MS = 20
/** The caller may wait for weeks. */
const FRONT_LOOK_MS = 500
/** A holder that has started nothing by then never will. */
const BEGIN_MAX_MS = 3_000

/**
 * The first line of a holder's daemon is its process id, because this process is not its parent.
 * `onLook` is called again and again for as long as the daemon runs.
 */
export async function leftBy(said: string, onLook?: (pid: number) => void): Promise<Left> {
  const remove = () => rmSync(said, { force: true })
  process.once('exit', remove)
  const [every, ref] = onLook ? [FRONT_LOOK_MS, true] : [LOOK_MS, false]
  try {
    for (const giveUpAt = Date.now() + BEGIN_MAX_MS; ; await sleep(every, 0, { ref })) {
      const [, pid, words = ''] = /^(\d+)\n(.*)/s.exec(fileText(said) ?? '') ?? []
      if (pid === undefined && Date.now() > giveUpAt) return { code: 0, said: '' }
      if (pid !== undefined) onLook?.(Number(pid))
      if (pid === undefined || isThere(Number(pid))) continue
      const isNeeded = words !== '' && !words.includes(RUNS_ALREADY)
      return { code: isNeeded ? 1 : 0, said: words.slice(-SAID_MAX_CHARS).trim() }
    }
  } finally {
    process.off('exit', remove)
    remove()
  }
}

/** The message of a daemon that finds another daemon running. */
export const RUNS_ALREADY = 'a daemon is running already'

function startDirectly(env: Env): Promise<Left> {
  const [, ...words] = daemonCommand(process.execPath, COMMAND)
  const child = spawn(process.execPath, words, {
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
  // Node types this as a plain stream. It is a socket, and must not keep the caller's process
  // alive.
  ;(child.stderr as unknown as Socket).unref()
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, said: error.message }))
    child.on('close', (code) => resolve({ code, said: said.trim() }))
  })
}
