import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { OWN_MACHINE } from '../../test/support/machines.ts'
import type { Report } from '../core/signal.ts'
import { openStore } from '../store/open.ts'
import { Engine } from './engine.ts'
import { loggedSession } from './row.ts'

const THREAD = '01a1e51a-20fe-78a3-a3db-4b4ef33781e3'
const CLIENT = { pid: 17_267, start: '1', cwd: '/home/ada/engine' }
const T = Date.UTC(2026, 10, 16)
const RESUMED = `codex resume ${THREAD}`

type Told = Readonly<Record<string, unknown>> & Pick<Report, 'source'>

const server = (method: string, params: object): Told => ({
  ...{ source: 'server', thread: THREAD, message: { method, params } },
})
const status = (type: string) =>
  server('thread/status/changed', { threadId: THREAD, status: { type, activeFlags: [] } })

/** A session in a terminal that was closed while it worked. */
const CLOSED: readonly Told[] = [
  server('thread/started', { thread: { id: THREAD, cwd: CLIENT.cwd, status: { type: 'idle' } } }),
  { source: 'process', ...CLIENT, alive: true, command: RESUMED, resumes: { session: THREAD } },
  status('active'),
  { source: 'process', ...CLIENT, alive: false },
]

it('[VW31][C7] a detached session has the command of its agent, also after a restart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-detached-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let now = T
  const { store } = openStore(join(folder, 'vigil.db'))
  onTestFinished(() => store.close())
  const parts = { store, machine: OWN_MACHINE, host: 'here', now: () => now, onTrouble: () => {} }
  const take = (engine: Engine, ...reports: readonly Told[]) => {
    for (const report of reports) {
      now += 1_000
      engine.take([{ report: { t: now, agent: 'codex', ...report } }])
      engine.intake.flush()
    }
    return engine.session(THREAD)
  }
  const engine = new Engine(parts)
  const detached = { detached: true, attach: RESUMED, pid: null }
  expect(take(engine, ...CLOSED)).toMatchObject({ state: 'working', ...detached })
  const again = new Engine(parts)
  again.replay()
  expect(again.session(THREAD)).toMatchObject({ state: 'working', ...detached })
  expect(take(again, status('idle'))).toMatchObject({ state: 'idle', ...detached })
  const dead = { source: 'process', ...CLIENT, alive: false } as const
  expect(take(again, dead)).toMatchObject({ state: 'idle', ...detached })
  const gone = server('thread/closed', { threadId: THREAD })
  expect(take(again, gone)).toMatchObject({ state: 'closed', detached: false, attach: null })
})

it('[VW31] a row of an earlier version is not detached', () => {
  const fields = { detached: false, attach: null, limits: null }
  expect(loggedSession({ id: 'one', title: null, project: 'shop' }, 'here')).toMatchObject(fields)
})
