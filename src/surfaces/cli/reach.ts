import { existsSync } from 'node:fs'
import { type Client, connect } from '../../client/client.ts'
import type { Left } from '../../client/start.ts'
import { runningDaemon } from '../../home/daemon-files.ts'
import { type Folders, foldersOf } from '../../home/folders.ts'
import { assertOwnSocket } from '../../home/own-socket.ts'
import { isNewer, ownVersion } from '../../home/version.ts'
import { BadInput } from './bad-input.ts'
import { err } from './output.ts'
import { START_MAX_MS, StartWait } from './start-wait.ts'

const LOOK_MS = 15
/** A daemon whose files are gone notices it within a second. */
const AGAIN_MS = 300

/**
 * Connects to the daemon: starts it if none runs, replaces it if it is older than this command, and
 * starts it once more if it ends before the first request.
 */
export async function reach(folders: Folders = foldersOf()): Promise<Client> {
  await found(folders)
  return connect(folders, { restart: () => found(folders) })
}

async function found(folders: Folders): Promise<void> {
  const version = ownVersion()
  const isCurrent = () => !isNewer(version, runningDaemon(folders)?.version ?? version)
  const isThere = async () => isCurrent() && (await answers(folders.socket)) && hasToken(folders)
  if (await isThere()) return
  // Loaded on demand: usually a daemon runs.
  const { startDetached } = await import('../../client/start.ts')
  const { setTimeout: sleep } = await import('node:timers/promises')
  const waiting = new StartWait(folders, (words) => err.line(`vigil: ${words}`))
  let left: Left | undefined = { code: 0, said: '' }
  while (!waiting.isOver()) {
    if (left) {
      const said = left.said.replace(/^vigil: /, '')
      if (left.code !== 0) throw new BadInput(`the daemon cannot start: ${said}`, 1)
      left = undefined
      // The new daemon ends, because another runs and cannot be found; when that one has noticed, a
      // daemon can start.
      void startDetached()
        .then((ended) => sleep(ended.code === 0 ? AGAIN_MS : 0, ended))
        .then((ended) => {
          left = ended
        })
    }
    await sleep(LOOK_MS)
    if (await isThere()) return
  }
  throw new BadInput(
    `the daemon did not start within ${START_MAX_MS / 1000} s; see ${folders.log}, ` +
      'or run `vigil daemon` to watch it start',
    1,
  )
}

function hasToken({ token }: Folders): boolean {
  return existsSync(token)
}

/** Connects to a running daemon; starts nothing. */
export async function reachIfRunning(folders: Folders): Promise<Client | undefined> {
  return (await answers(folders.socket)) ? connect(folders) : undefined
}

async function answers(socket: string): Promise<boolean> {
  try {
    assertOwnSocket(socket)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  // An import would read all its exports and load the modules behind them.
  const { connect: connectSocket } = process.getBuiltinModule('node:net')
  return new Promise((resolve) => {
    const attempt = connectSocket(socket)
    attempt.once('connect', () => {
      attempt.destroy()
      resolve(true)
    })
    attempt.once('error', () => resolve(false))
  })
}
