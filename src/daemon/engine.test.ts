import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { OWN_MACHINE } from '../../test/support/machines.ts'
import { allRecordings } from '../../test/support/recordings.ts'
import type { Report } from '../core/signal.ts'
import { play } from '../recording/play.ts'
import { reportsOf } from '../recording/read.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { Engine } from './engine.ts'

const T = Date.UTC(2026, 0, 5, 9)
const [folders, clock] = [[] as string[], { now: T }]
const troubles: (string | undefined)[] = []

function storeIn(folder = mkdtempSync(join(tmpdir(), 'vigil-engine-'))): Store {
  folders.push(folder)
  return openStore(join(folder, 'vigil.db')).store
}

function engineOn(store: Store): Engine {
  return new Engine({
    store,
    machine: OWN_MACHINE,
    host: 'here',
    now: () => clock.now,
    onTrouble: (error) => troubles.push(error?.message),
  })
}

const hook = (event: string, fields: object = {}, session = 's'): Report => ({
  t: clock.now,
  source: 'hook',
  env: { ppid: 4711, tmuxPane: '%3' },
  payload: { session_id: session, hook_event_name: event, cwd: '/home/ada/engine', ...fields },
})

function take(engine: Engine, report: Report, key?: string): void {
  engine.take([{ report, ...(key !== undefined && { key }) }])
  engine.intake.flush()
}

const stateOf = (engine: Engine, id = 's') => engine.session(id)?.state

afterEach(() => {
  clock.now = T
  troubles.length = 0
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe('the list', () => {
  const rows = (engine: Engine) =>
    [...engine.list.ids()].flatMap((id) => engine.list.row(id)?.id ?? [])
  const changes = (engine: Engine) => {
    const told: string[] = []
    engine.list.changes.onChange(({ id }) => told.push(id))
    return told
  }

  it('[P16] has a change for every session that something was heard of', () => {
    const engine = engineOn(storeIn())
    const told = changes(engine)
    take(engine, hook('SessionStart', { source: 'startup' }, 'a'))
    take(engine, hook('SessionStart', { source: 'startup' }, 'b'))
    expect(told).toEqual(['a', 'b'])
    expect(rows(engine)).toEqual(['a', 'b'])
  })

  it('[P16] has a change for a stand-in that got its own name', () => {
    const engine = engineOn(storeIn())
    vi.useFakeTimers()
    const process = { source: 'process' as const, pid: 7, start: '1', alive: true }
    take(engine, { t: T, ...process, command: 'claude', cwd: '/p' })
    vi.advanceTimersByTime(200)
    expect(rows(engine)).toEqual(['process:7'])
    const told = changes(engine)
    const named = hook('SessionStart', { source: 'startup' }, 'a')
    take(engine, { ...named, env: { claudePid: 7 } })
    expect(rows(engine)).toEqual(['a'])
    expect(told.toSorted()).toEqual(['a', 'process:7'])
    vi.useRealTimers()
  })

  it('[P20] is left by a session that was closed for 30 minutes, by time alone', () => {
    vi.useFakeTimers()
    const engine = engineOn(storeIn())
    take(engine, hook('SessionStart', { source: 'startup' }))
    take(engine, hook('SessionEnd', { reason: 'other' }))
    const pass = (ms: number) => {
      clock.now += ms
      vi.advanceTimersByTime(ms)
    }
    pass(1_000)
    const told = changes(engine)
    pass(1_799_000)
    expect([told, rows(engine)]).toEqual([[], ['s']])
    pass(1_000)
    expect([told, rows(engine)]).toEqual([['s'], []])
    pass(3_600_000)
    expect(told).toEqual(['s'])
    vi.useRealTimers()
  })
})

describe('a report', () => {
  it('[K1] is committed once, also where a listener asks back', () => {
    const store = storeIn()
    const engine = engineOn(store)
    const seen: (string | undefined)[] = []
    engine.feed.onChange(() => seen.push(stateOf(engine)))
    take(engine, hook('SessionStart', { source: 'startup' }))
    take(engine, hook('UserPromptSubmit', { prompt: 'x' }))
    expect(seen).toEqual(['idle', 'working'])
    expect(troubles).toEqual([])
    expect(store.counts()).toMatchObject({ reports: 2, changes: 2 })
  })

  it('[K1] is logged, judged and told in one commit, and only then acknowledged', () => {
    const store = storeIn()
    const engine = engineOn(store)
    const seen: string[] = []
    engine.feed.onChange(() => seen.push(`told, ${store.counts().reports} in the log`))
    engine.take([{ report: hook('SessionStart', { source: 'startup' }) }], () => seen.push('saved'))
    expect(seen).toEqual([])
    engine.intake.flush()
    expect(seen).toEqual(['told, 1 in the log', 'saved'])
    expect(store.session('s')).toMatchObject({ state: 'idle', open: true, host: 'here' })
    expect(engine.history('s', 5).map(({ verdict }) => verdict.state)).toEqual(['idle'])
  })

  it('[K2] with a key already in the log changes nothing and is acknowledged', () => {
    const store = storeIn()
    const engine = engineOn(store)
    take(engine, hook('UserPromptSubmit', { prompt: 'x' }), 'a@1')
    let saved = false
    engine.take([{ report: hook('Stop'), key: 'a@1' }], () => (saved = true))
    engine.intake.flush()
    expect(saved).toBe(true)
    expect(store.counts().reports).toBe(1)
    expect(stateOf(engine)).toBe('working')
  })

  it('[K2] twice in one batch is one', () => {
    const store = storeIn()
    const engine = engineOn(store)
    const report = hook('Stop')
    engine.take([
      { report, key: 'a@1' },
      { report, key: 'a@1' },
    ])
    engine.intake.flush()
    expect(store.counts().reports).toBe(1)
  })
})

describe('a log that cannot be written', () => {
  it('[K3] costs no truth: what is seen is judged and told, and saved when there is room', () => {
    const store = storeIn()
    const engine = engineOn(store)
    take(engine, hook('SessionStart', { source: 'startup' }))
    const commit = store.commit.bind(store)
    store.commit = () => {
      throw new Error('disk full')
    }
    let saved = false
    clock.now += 1_000
    engine.take([{ report: hook('UserPromptSubmit', { prompt: 'x' }), key: 'p@1' }], () => {
      saved = true
    })
    engine.intake.flush()
    expect(stateOf(engine)).toBe('working')
    const last = engine.feed.lastId()
    expect(engine.feed.after(last - 1, 10)).toMatchObject([{ verdict: { state: 'working' } }])
    expect([saved, engine.intake.durable]).toEqual([false, false])
    expect(troubles).toEqual(['disk full'])
    store.commit = commit
    engine.intake.stop()
    expect([saved, engine.intake.durable]).toEqual([true, true])
    expect(troubles).toEqual(['disk full', undefined])
    expect(store.known(['p@1'])).toEqual(new Set(['p@1']))
    expect(store.history('s', 1)[0]).toMatchObject({ verdict: { state: 'working' } })
  })
})

describe('a start', () => {
  it('[K4] takes up open sessions where the log left them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-engine-'))
    const first = storeIn(folder)
    const before = engineOn(first)
    take(before, hook('SessionStart', { source: 'startup' }))
    clock.now += 1_000
    take(before, hook('UserPromptSubmit', { prompt: 'x' }))
    const facts = before.tracker.sessions.facts('s')
    first.close()
    const after = engineOn(storeIn(folder))
    expect(after.replay()).toBe(2)
    expect(after.tracker.sessions.facts('s')).toEqual(facts)
    expect(stateOf(after)).toBe('working')
    expect(after.history('s', 9)).toHaveLength(2)
  })

  it('[K4] reports what changed while no daemon ran, once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-engine-'))
    const first = storeIn(folder)
    take(engineOn(first), hook('UserPromptSubmit', { prompt: 'x' }))
    first.close()
    clock.now += 3_600_000
    const second = storeIn(folder)
    const after = engineOn(second)
    after.replay()
    expect(stateOf(after)).toBe('stuck')
    second.close()
    const third = engineOn(storeIn(folder))
    third.replay()
    expect(third.history('s', 9).map(({ verdict }) => verdict.state)).toEqual(['stuck', 'working'])
  })

  it('[K4][M8] knows that the clock was set back, though the first session is closed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-engine-'))
    const first = storeIn(folder)
    const before = engineOn(first)
    const other = (event: string) => ({ ...hook(event, {}, 'first'), env: { ppid: 42 } })
    take(before, other('SessionStart'))
    take(before, hook('UserPromptSubmit', { prompt: 'x' }))
    clock.now -= 3_600_000
    take(before, { t: clock.now, source: 'process', steppedMs: -3_600_000 })
    clock.now += 1_000
    take(before, hook('Stop'))
    take(before, other('SessionEnd'))
    expect(stateOf(before)).toBe('idle')
    first.close()
    clock.now = T + 10_000
    const after = engineOn(storeIn(folder))
    after.replay()
    expect(stateOf(after)).toBe('idle')
  })

  it('[K4] still lists sessions that closed a short while before it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-engine-'))
    const first = storeIn(folder)
    const before = engineOn(first)
    take(before, hook('SessionStart', { source: 'startup' }))
    take(before, hook('SessionEnd', { reason: 'other' }))
    first.close()
    clock.now += 60_000
    const after = engineOn(storeIn(folder))
    after.replay()
    const listed = () => after.sessions({ all: false }).sessions.map(({ id, state }) => [id, state])
    expect(listed()).toEqual([['s', 'closed']])
    take(after, hook('SessionStart', { source: 'resume' }))
    expect(listed()).toEqual([['s', 'idle']])
    take(after, hook('SessionEnd', { reason: 'other' }))
    clock.now += 3_600_000
    expect(listed()).toEqual([])
  })

  it('[K4] keeps the lineage of a session whose parent was closed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-engine-'))
    const first = storeIn(folder)
    const before = engineOn(first)
    take(before, hook('SessionStart', { source: 'startup' }))
    take(before, hook('SessionEnd', { reason: 'clear' }))
    clock.now += 100
    take(before, hook('SessionStart', { source: 'clear' }, 'child'))
    expect(before.session('child')).toMatchObject({ lineage: 's', parent: 's' })
    first.close()
    const after = engineOn(storeIn(folder))
    after.replay()
    expect(after.session('child')).toMatchObject({ lineage: 's', parent: 's' })
  })
})

describe('the log and the code', () => {
  it('[O3] give every verdict again: recordings through the engine as through replay', () => {
    for (const recording of allRecordings().slice(0, 20)) {
      const store = storeIn()
      const engine = engineOn(store)
      const reports = reportsOf(recording)
      const endAt = (reports.at(-1)?.t ?? 0) + 20_000
      for (const report of reports) {
        clock.now = report.t
        take(engine, report)
      }
      clock.now = endAt
      engine.intake.flush()
      const told = store
        .changesAfter(0, 10_000)
        .flatMap((change) => (change.kind === 'verdict' ? [change] : []))
      const expected = [...play(reports, endAt)]
      const states = (list: readonly { verdict: { session: string; state: string } }[]) =>
        list.map(({ verdict }) => `${verdict.session} ${verdict.state}`)
      expect(states(told)).toEqual(states(expected))
      engine.intake.stop()
      store.close()
    }
  })
})
