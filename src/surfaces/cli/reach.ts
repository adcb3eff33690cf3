import { type Client, connect } from '../../daemon/client/client.ts'
import { isNewer, ownVersion } from '../../daemon/version.ts'
import { whoRuns } from '../../daemon/who.ts'
import { type Folders, foldersOf } from '../../home/folders.ts'
import { BadInput } from './bad-input.ts'

/** A daemon with a large log replays for a second or two; one that takes longer is not coming. */
const START_MAX_MS = 15_000
const LOOK_MS = 15

/** The daemon, started if none runs, replaced if it is older than who asks. */
export async function reach(folders: Folders = foldersOf()): Promise<Client> {
  const version = ownVersion()
  const isCurrent = () => !isNewer(version, whoRuns(folders)?.version ?? version)
  if (isCurrent() && (await answers(folders.socket))) return connect(folders)
  // Loaded when it is needed: a daemon that runs is the rule.
  const { startDetached } = await import('../../daemon/start.ts')
  const { setTimeout: sleep } = await import('node:timers/promises')
  startDetached()
  const giveUpAt = Date.now() + START_MAX_MS
  while (Date.now() < giveUpAt) {
    await sleep(LOOK_MS)
    if (isCurrent() && (await answers(folders.socket))) return connect(folders)
  }
  throw new BadInput(
    `the daemon did not start within ${START_MAX_MS / 1000} s; see ${folders.log}, ` +
      'or run `vigil daemon` to watch it start',
    1,
  )
}

/** The daemon if it runs; nothing is started. */
export async function reachIfRunning(folders: Folders): Promise<Client | undefined> {
  return (await answers(folders.socket)) ? connect(folders) : undefined
}

function answers(socket: string): Promise<boolean> {
  // An import would read all its exports and load what stands behind them.
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
