import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Engine } from '../../src/daemon/engine.ts'
import { openStore } from '../../src/store/open.ts'
import { OWN_MACHINE } from '../../test/support/machines.ts'
import { median, turn } from './home.ts'

const REPORTS = 5_000
const BATCH = 100
const ROUNDS = 7

/** The cost of a report, from arrival to commit, among few sessions and among many. */
export function growth() {
  const fleets = [10, 10_000].map((sessions) => ({ sessions, ...fleetOf(sessions) }))
  const costs = fleets.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round++)
    for (const [which, { engine }] of fleets.entries()) costs[which]?.push(costOf(engine, round))
  for (const { close } of fleets) close()
  const [few = 0, many = 0] = costs.map(median)
  return { microsecondsAt10: few, microsecondsAt10000: many, ratio: many / few }
}

function fleetOf(sessions: number) {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-bench-'))
  const { store } = openStore(join(folder, 'vigil.db'))
  const nothing = () => {}
  const options = {
    store,
    machine: OWN_MACHINE,
    host: 'bench',
    now: Date.now,
    onTrouble: nothing,
  }
  const engine = new Engine(options)
  for (let index = 0; index < sessions; index++) {
    const payload = { ...turn(index, sessions), session_id: `other-${index}` }
    engine.take([{ report: { t: Date.now(), source: 'hook', payload } }])
  }
  engine.intake.flush()
  const close = () => {
    engine.intake.stop()
    store.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { engine, close }
}

/** The same work in both: ten sessions, however many others there are. */
function costOf(engine: Engine, round: number): number {
  const begin = performance.now()
  for (let index = 0; index < REPORTS; index += BATCH) {
    for (let i = index; i < index + BATCH; i++) {
      const payload = turn(round * REPORTS + i, 10)
      engine.take([{ report: { t: Date.now(), source: 'hook', payload }, key: `${round}.${i}` }])
    }
    engine.intake.flush()
  }
  return ((performance.now() - begin) * 1000) / REPORTS
}
