import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { OTHER_MACHINE, OWN_MACHINE } from '../../test/support/machines.ts'
import type { Report } from '../core/signal.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { Engine } from './engine.ts'

const T = 1_760_000_000_000

let folder: string
let store: Store
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-own-machine-'))
  store = openStore(join(folder, 'vigil.db')).store
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

function engineOn(machine: string): Engine {
  const options = { host: 'here', now: () => T, onTrouble: () => {} }
  const engine = new Engine({ store, machine, ...options })
  engine.replay()
  return engine
}

const hook = (event: string, session: string, fields: object = {}): Report => ({
  t: T,
  source: 'hook',
  payload: { session_id: session, hook_event_name: event, cwd: '/home/ada/engine', ...fields },
})

const machinesIn = (engine: Engine) =>
  Object.fromEntries(
    engine.sessions({ all: true }).sessions.map(({ id, machine, host }) => [id, [machine, host]]),
  )

it('[MA3] sessions in the log are this machine’s, whatever its id was by then', () => {
  const before = engineOn(OTHER_MACHINE)
  const reports = [
    hook('SessionStart', 'open', { source: 'startup' }),
    hook('SessionStart', 'over', { source: 'startup' }),
    hook('SessionEnd', 'over', { reason: 'other' }),
  ]
  before.take(reports.map((report) => ({ report })))
  before.intake.flush()
  before.import('tape', [hook('SessionStart', 'played', { source: 'startup' })])
  expect(Object.values(machinesIn(before)).map(([machine]) => machine)).toEqual(
    Array(3).fill(OTHER_MACHINE),
  )
  before.intake.stop()
  const after = engineOn(OWN_MACHINE)
  expect(machinesIn(after)).toEqual({
    open: [OWN_MACHINE, 'here'],
    over: [OWN_MACHINE, 'here'],
    'tape/played': [OWN_MACHINE, 'tape'],
  })
  expect(after.session('over')?.machine).toBe(OWN_MACHINE)
  expect(after.explain('over')?.session.machine).toBe(OWN_MACHINE)
  expect(JSON.stringify(store.sessions({}))).not.toContain(OTHER_MACHINE)
})
