import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { OWN_MACHINE } from '../../test/support/machines.ts'
import type * as Judge from '../core/judge.ts'
import { openStore } from '../store/open.ts'
import { Engine } from './engine.ts'

const judged = vi.hoisted(() => ({ count: 0 }))
vi.mock('../core/judge.ts', async (original) => {
  const real = await original<typeof Judge>()
  const judgementOf: typeof real.judgementOf = (facts, now) => {
    judged.count += 1
    return real.judgementOf(facts, now)
  }
  const judge: typeof real.judge = (facts, now) => judgementOf(facts, now).verdict
  return { ...real, judgementOf, judge }
})

const T = Date.UTC(2026, 0, 5, 9)

it('[M9] a report is judged once, and what is listed and stored is that verdict', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-judged-'))
  const { store } = openStore(join(folder, 'vigil.db'))
  const engine = new Engine({
    store,
    machine: OWN_MACHINE,
    host: 'here',
    now: () => T,
    onTrouble: () => {},
  })
  try {
    const payload = { session_id: 's', hook_event_name: 'UserPromptSubmit', cwd: '/a', prompt: 'x' }
    engine.take([{ report: { t: T, source: 'hook', env: { ppid: 4711 }, payload } }])
    engine.intake.flush()
    expect(engine.sessions({ all: false }).sessions).toMatchObject([{ id: 's', state: 'working' }])
    expect(engine.session('s')?.state).toBe('working')
    expect(store.sessions({})).toMatchObject([{ id: 's', state: 'working' }])
    expect(judged.count).toBe(1)
  } finally {
    engine.intake.stop()
    store.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
