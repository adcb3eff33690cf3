import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { refreshHooks } from '../install/refresh.ts'
import type { Complain } from '../sources/arrival.ts'
import { isDamage } from '../store/errors.ts'
import { openStore } from '../store/open.ts'
import { createApp } from './api/app.ts'
import { Subscribers } from './api/events.ts'
import { Gate } from './api/gate.ts'
import { listen } from './api/server.ts'
import { tokenAt } from './api/token.ts'
import { attachAll } from './attach.ts'
import type { DaemonOptions } from './daemon.ts'
import { Engine } from './engine.ts'
import { Listeners } from './listeners.ts'
import { LocalFleet } from './local-fleet.ts'
import { type LoopWorks, loopWorksOf } from './loops/put-together.ts'
import { Retention } from './retention.ts'
import { COMMAND } from './start.ts'
import { Troubles } from './troubles.ts'
import { Watching } from './watching.ts'

export interface Assembled {
  readonly port: number
  /** Reports of open sessions taken up from the log. */
  readonly replayed: number
  close(): Promise<void>
}

export interface Course {
  readonly end: (why: string) => void
  /** The log is damaged: it is to be opened anew, which sets it aside and rebuilds it. */
  readonly onDamaged: () => void
  readonly checkWhole: boolean
}

/** The daemon's parts, put together in the order in which they need each other. */
export async function assemble(
  options: DaemonOptions,
  log: Logger,
  { end, onDamaged, checkWhole }: Course,
): Promise<Assembled> {
  const { folders, env } = options
  const troubles = new Troubles(log)
  const complain: Complain = (what, about) => log.warn(about, what)
  refresh(options, complain)
  const { store, notice } = openStore(folders.database, { checkWhole })
  if (notice) troubles.set('store', notice)
  let watching: Watching | undefined
  let works: LoopWorks | undefined
  const touched = new Listeners<ReadonlySet<string>>()
  const engine = new Engine({
    store,
    host: hostname(),
    now: Date.now,
    lookAtClock: () => watching?.lookAtClock(),
    onTouched: (ids) => {
      watching?.attend(ids)
      works?.attend(ids)
      touched.tell(ids)
    },
    onLearnt: (arrival) => works?.see(arrival),
    onTrouble: (error) => {
      troubles.set('log', error && `cannot be written: ${error.message}`)
      if (isDamage(error)) onDamaged()
    },
  })
  const replayed = engine.replay()
  works = loopWorksOf({ engine, book: store.loops, folders, env, complain })
  watching = new Watching({ engine, store, folders, env, complain })
  await watching.start()
  works.start()
  const retention = new Retention(store, (error) => complain('retention failed', { error }))
  retention.start()

  const fleet = new LocalFleet({
    engine,
    store,
    watching,
    troubles,
    loops: works.loops,
    database: folders.database,
    end,
  })
  const { listening, port } = await openDoors(fleet, options, complain)
  const surfaces = attachAll(options.attach ?? {}, {
    fleet,
    folders,
    onTouched: (listener) => touched.add(listener),
    take: engine.take,
    complain,
    trouble: (about, what) => troubles.set(about, what),
  })
  return {
    port,
    replayed,
    close: async () => {
      await surfaces.close()
      await listening.close()
      works.close()
      await watching.stop()
      retention.stop()
      engine.intake.stop()
      store.close()
    },
  }
}

async function openDoors(fleet: LocalFleet, options: DaemonOptions, complain: Complain) {
  const { folders } = options
  const gate = new Gate(complain)
  const subscribers = new Subscribers(fleet.feed)
  const lastPort = join(folders.state, 'port')
  const listening = await listen({
    app: (door) => createApp(fleet, door, { complain, gate, subscribers }),
    gate,
    token: tokenAt(folders.token),
    socket: folders.socket,
    port: options.port ?? portIn(lastPort),
    onClose: () => subscribers.close(),
  })
  const port = listening.port ?? 0
  fleet.address = `http://127.0.0.1:${port}`
  writeFileSync(lastPort, `${port}\n`, { mode: 0o600 })
  return { listening, port }
}

/** Hooks of an earlier version go on working: they need not be renewed for us to start. */
function refresh({ folders }: DaemonOptions, complain: Complain): void {
  try {
    refreshHooks(folders, { node: process.execPath, vigil: COMMAND })
  } catch (error) {
    complain('hook scripts could not be renewed', { error: (error as Error).message })
  }
}

/** The port of last time, so that an open page finds its way back; else any. */
function portIn(file: string): number {
  try {
    const port = Number.parseInt(readFileSync(file, 'utf8'), 10)
    return port > 0 && port < 65_536 ? port : 0
  } catch {
    return 0
  }
}
