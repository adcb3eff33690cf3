/**
 * `npm run bench:insight [-- CHANGES]`: how long the figures of a month take, and how long they
 * block other requests, on the log of a busy fleet: a million changes by default.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Verdict } from '../src/core/verdict.ts'
import { Insights } from '../src/daemon/insight/insights.ts'
import { Zone } from '../src/insight/calendar.ts'
import type { Session } from '../src/protocol/session.ts'
import { openStore } from '../src/store/open.ts'
import type { LoggedChange, NewReport, Store } from '../src/store/store.ts'

const CHANGES = Number(process.argv[2] ?? 1_000_000)
const CHANGES_A_SESSION = 200
const MESSAGES_A_SESSION = 40
const HOOKS_A_SESSION = 60
const NOW = Date.UTC(2026, 10, 15, 12)
const MONTH_MS = 30 * 86_400_000
const STATES = ['working', 'waiting', 'working', 'idle'] as const

const folder = mkdtempSync(join(tmpdir(), 'vigil-bench-'))
try {
  const { store } = openStore(join(folder, 'data', 'vigil.db'), { now: NOW - MONTH_MS })
  const begun = performance.now()
  const sessions = Math.ceil(CHANGES / CHANGES_A_SESSION)
  for (let s = 0; s < sessions; s += 1) fill(store, s, sessions)
  const filledMs = performance.now() - begun
  const { bytes, reports, changes } = store.counts()
  say(`${changes} changes, ${reports} reports, ${sessions} sessions, ${mb(bytes)} MB`)
  say(`written in ${(filledMs / 1000).toFixed(1)} s`)
  for (const period of ['today', 'week', 'month', 'month'] as const) await measure(store, period)
  await measureTimeline(store)
  store.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure(store: Store, period: 'today' | 'week' | 'month'): Promise<void> {
  const look = (id: string) => ({ ...store.session(id), project: `p${id.length}`, live: false })
  const insights = new Insights({
    tables: store.insight,
    look: look as unknown as (id: string) => Session,
    now: () => NOW,
  })
  const figures = await watched(async () => {
    const { totals } = await insights.of(period, new Zone('Europe/Berlin'))
    if (totals.sessions === 0) throw new Error('nothing was counted')
  })
  say(`${period.padEnd(9)} ${figures}`)
}

async function measureTimeline(store: Store): Promise<void> {
  const insights = new Insights({ tables: store.insight, look: () => undefined, now: () => NOW })
  const figures = await watched(async () => {
    await insights.timeline('session-00001', { from: undefined, to: NOW })
  })
  say(`timeline  ${figures}`)
}

/** The total, and the longest turn of the event loop meanwhile, in CPU time. */
async function watched(work: () => Promise<void>): Promise<string> {
  let over = false
  let longestMs = 0
  let longestCpuMs = 0
  let last = performance.now()
  let lastCpu = cpuMs()
  const look = () => {
    const [now, cpu] = [performance.now(), cpuMs()]
    longestMs = Math.max(longestMs, now - last)
    longestCpuMs = Math.max(longestCpuMs, cpu - lastCpu)
    last = now
    lastCpu = cpu
    if (!over) setImmediate(look)
  }
  setImmediate(look)
  const [begun, begunCpu] = [performance.now(), cpuMs()]
  await work()
  over = true
  const ms = (performance.now() - begun).toFixed(0)
  const took = `${ms} ms (${(cpuMs() - begunCpu).toFixed(0)} CPU)`
  return `${took}, ${longestMs.toFixed(1)} ms (${longestCpuMs.toFixed(1)} CPU) at a time at most`
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function fill(store: Store, s: number, sessions: number): void {
  const session = `session-${String(s).padStart(5, '0')}`
  const begin = NOW - MONTH_MS + (s / sessions) * (MONTH_MS - 7_200_000)
  const step = 7_200_000 / CHANGES_A_SESSION
  const first = store.lastChangeId()
  const changes = Array.from({ length: CHANGES_A_SESSION }, (_, i): LoggedChange => {
    const t = begin + i * step
    const verdict = aVerdict(session, i, t)
    return { id: first + 1 + i, t, session, kind: 'verdict', verdict }
  })
  const row = { id: session, host: 'here', agent: 'claude', state: 'closed' }
  const rest = { firstAt: begin, lastAt: begin + 7_200_000, open: false, parent: undefined }
  const body = { id: session, project: `project-${s % 20}` }
  const reports = [...messages(session, begin), ...hooks(session, begin)]
  store.commit({
    reports,
    changes,
    sessions: [{ ...row, ...rest, body }],
    cursors: [],
    renamed: [],
  })
}

/** As long as a change of a working session: a kilobyte. */
function aVerdict(session: string, i: number, t: number): Verdict {
  const state = STATES[i % STATES.length] ?? 'working'
  return {
    session,
    state,
    since: t,
    rule: state === 'waiting' ? 'W1' : 'T1',
    reason: 'a turn is open since the prompt; the registry has not said otherwise since',
    grounds: Array.from({ length: 4 }, (_, n) => ({
      source: 'hook' as const,
      saw: `request-opened by PreToolUse number ${n} of the turn`,
      at: t - n,
    })),
    ...(state === 'waiting' && { for: 'permission' as const }),
    request: { tool: 'Bash', text: 'npm run check -- --reporter=dot'.repeat(3), at: t },
    unread: false,
    typing: false,
    tasks: [{ id: 'a1', what: 'subagent', label: 'look for what else is called so' }],
    details: {
      cwd: `/home/ada/projects/${session}`,
      transcript: `/home/ada/.claude/projects/-home-ada-projects-${session}/${session}.jsonl`,
      branch: 'main',
      model: 'Opus 5.5',
      costUsd: i / 100,
    },
  }
}

function messages(session: string, begin: number): NewReport[] {
  return Array.from({ length: MESSAGES_A_SESSION }, (_, i) => {
    const usage = { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 9_000 }
    const message = { id: `msg_${session}_${i}`, usage, content: 'x'.repeat(600) }
    const entry = { type: 'assistant', sessionId: session, message }
    return { report: { t: begin + i, source: 'transcript', entry }, session, key: undefined }
  })
}

function hooks(session: string, begin: number): NewReport[] {
  return Array.from({ length: HOOKS_A_SESSION }, (_, i) => {
    const payload = { session_id: session, hook_event_name: 'PreToolUse', tool_use_id: `t${i}` }
    return { report: { t: begin + i, source: 'hook', payload }, session, key: undefined }
  })
}

function mb(bytes: number): string {
  return (bytes / 1_000_000).toFixed(0)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
