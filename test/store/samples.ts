import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import type { Report } from '../../src/core/signal.ts'
import type { Verdict } from '../../src/core/verdict.ts'
import { type OpenOptions, openStore } from '../../src/store/open.ts'
import type { Commit, LoggedChange, NewReport, SessionRow, Store } from '../../src/store/store.ts'

const made: string[] = []
const opened: Store[] = []

afterEach(() => {
  for (const store of opened.splice(0)) store.close()
  for (const folder of made.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

/** Where a log may be made; gone after the test. */
export function aPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-store-'))
  made.push(folder)
  return join(folder, 'data', 'vigil.db')
}

export function open(path: string, options?: OpenOptions): { store: Store; notice?: string } {
  const result = openStore(path, options)
  opened.push(result.store)
  return result
}

export function aStore(): Store {
  return open(aPath()).store
}

export function aReport(t: number, more: Readonly<Record<string, unknown>> = {}): Report {
  const payload = { hook_event_name: 'PreToolUse', session_id: 'one' }
  return { t, source: 'hook', payload, ...more }
}

export function aNew(t: number, more: Partial<NewReport> = {}): NewReport {
  return { report: aReport(t), session: 'one', key: `hook.${t}`, ...more }
}

export function aVerdict(session: string, since: number): Verdict {
  return {
    session,
    state: 'working',
    since,
    rule: ['T', '1'].join(''),
    reason: 'a turn is open',
    grounds: [{ source: 'hook', saw: 'turn-started', at: since }],
    unread: false,
    typing: false,
    tasks: [],
    details: { cwd: '/home/ada/project' },
  }
}

export function aChange(id: number, t: number, session = 'one'): LoggedChange {
  return { id, t, session, kind: 'verdict', verdict: aVerdict(session, t) }
}

export function aSession(id: string, more: Partial<SessionRow> = {}): SessionRow {
  const times = { firstAt: 1, lastAt: 2 }
  const body = { id, state: 'working' }
  const rest = { host: 'here', agent: 'claude', state: 'working', parent: undefined, body }
  return { id, open: true, ...times, ...rest, ...more }
}

export function aCommit(parts: Partial<Commit>): Commit {
  return { reports: [], changes: [], sessions: [], cursors: [], renamed: [], ...parts }
}

/** All of a log, for comparing. */
export function contentOf(store: Store) {
  return {
    reports: store.reports({ limit: 1_000_000 }),
    changes: store.changesAfter(0, 1_000_000),
    sessions: store.sessions(),
    cursors: store.cursors(),
    folders: store.folders(),
  }
}
