import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Client, connect } from '../client/client.ts'
import { assemble } from '../daemon/assemble.ts'
import { openLog } from '../daemon/log.ts'
import { PlayedHooks } from '../daemon/played.ts'
import { type Folders, foldersOf, privateFolder } from '../home/folders.ts'
import { openStore } from '../store/open.ts'
import { writeOpening, writePast } from '../surfaces/demo/past.ts'
import { Player } from '../surfaces/demo/player.ts'
import { readStory } from '../surfaces/demo/story.ts'

export interface Stage {
  readonly client: Client
  readonly folders: Folders
  /** Ends the daemon and removes its home. */
  close(): Promise<void>
}

interface StageOptions {
  readonly speed: number
  /** Whether the month before is played as well: which sessions it has depends on the clock. */
  readonly hasPast?: boolean
  /** Those of the story that are played; all, unless given. */
  readonly projects?: readonly string[]
  readonly host?: string
}

/**
 * SPEC IN30. A daemon in this process that knows only the played sessions. Its home is removed when
 * the process ends.
 */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { speed, hasPast = true, projects, host = 'demo' } = options
  const home = mkdtempSync(join(shortFolder(), 'vigil-demo-'))
  const folders = foldersOf({ VIGIL_HOME: home })
  const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  process.on('exit', remove)
  for (const folder of [folders.data, folders.state, folders.run, dirname(folders.socket)])
    privateFolder(folder)
  const roles = readStory().filter(({ project }) => projects?.includes(project) ?? true)
  const hooks = new PlayedHooks()
  const { store } = openStore(folders.database)
  const files = join(home, 'agents')
  mkdirSync(files, { mode: 0o700 })
  const now = Date.now()
  if (hasPast) writePast(store, roles, now)
  writeOpening(store, roles, { now, files })
  store.close()
  const daemon = await assemble(
    {
      folders,
      env: { HOME: home },
      port: 0,
      playedHooks: hooks,
      host,
      attach: { demo: (context) => [new Player(context, { roles, speed, files, hooks, now })] },
    },
    openLog(folders.log),
    { end: () => {}, onDamaged: () => {}, checkWhole: false },
  )
  return {
    client: connect(folders),
    folders,
    close: async () => {
      await daemon.close()
      remove()
      process.off('exit', remove)
    },
  }
}

/**
 * The path of a Unix socket has a length limit: in a deep temporary folder no client could connect.
 */
const FOLDER_MAX_BYTES = 65

function shortFolder(): string {
  const folder = tmpdir()
  return Buffer.byteLength(folder) <= FOLDER_MAX_BYTES ? folder : '/tmp'
}
