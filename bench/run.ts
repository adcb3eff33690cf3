/**
 * `npm run bench`: what the core costs on this machine, and how the cost grows. Compare figures
 * only within one run: another machine, or a busy one, gives others.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { translate } from '../src/agents/index.ts'
import { judge } from '../src/core/judge.ts'
import { Sessions } from '../src/core/sessions.ts'
import type { Report } from '../src/core/signal.ts'
import { readRecording, reportsOf } from '../src/recording/read.ts'

const folder = new URL('../test/recordings/', import.meta.url)
const runs = readdirSync(folder)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => reportsOf(readRecording(file, readFileSync(new URL(file, folder), 'utf8'))))

const json = process.argv.includes('--json')
const results: Record<string, unknown> = {}

warmUp()
recordingsSpeed()
sessionsGrowth()
lengthGrowth()
factsSize()
if (json) process.stdout.write(`${JSON.stringify(results)}\n`)

function warmUp(): void {
  for (let i = 0; i < 3; i++) for (const reports of runs) feed(new Sessions(), reports)
}

/** Translates every report, learns its signals and judges its session, as a daemon would. */
function feed(sessions: Sessions, reports: readonly Report[]): number {
  let signals = 0
  for (const report of reports) {
    const touched = new Set<string>()
    for (const signal of translate(report)) {
      signals += 1
      for (const id of sessions.take(signal)) touched.add(id)
    }
    for (const id of touched) {
      const facts = sessions.facts(id)
      if (facts) judge(facts, report.t)
    }
  }
  return signals
}

function timed(work: () => number): { signals: number; perSecond: number; microseconds: number } {
  const begin = process.hrtime.bigint()
  const signals = work()
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9
  return { signals, perSecond: signals / seconds, microseconds: (seconds * 1e6) / signals }
}

/** The median of several rounds, because another program may disturb one of them. */
function recordingsSpeed(): void {
  const rounds = Array.from({ length: 9 }, () =>
    timed(() => {
      let signals = 0
      for (let i = 0; i < 10; i++) for (const run of runs) signals += feed(new Sessions(), run)
      return signals
    }),
  )
  const sorted = rounds.map(({ perSecond }) => perSecond).toSorted((a, b) => a - b)
  const [slowest = 0, median = 0, fastest = 0] = [sorted[0], sorted[4], sorted[8]]
  results.recordings = { slowest, median, fastest }
  say(`recordings of the real client, translate + learn + judge: ${thousands(median)}`)
  say(`  (of nine rounds the slowest ${thousands(slowest)}, the fastest ${thousands(fastest)})`)
}

/**
 * The same work spread over more and more sessions: the cost of a session must not depend on the
 * others.
 */
function sessionsGrowth(): void {
  const work = 60_000
  const rows = [10, 100, 1_000, 10_000].map((count) => {
    const reports = turns(work, count)
    const result = timed(() => feed(new Sessions(), reports))
    return { sessions: count, ...result }
  })
  results.sessions = rows
  for (const row of rows)
    say(`${String(row.sessions).padStart(9)} sessions: ${row.microseconds.toFixed(2)} µs a signal`)
}

/** One session that goes on and on: the cost must not depend on its past. */
function lengthGrowth(): void {
  const rows = [1_000, 10_000, 100_000, 1_000_000].map((signals) => {
    // The six reports of a turn give thirteen signals.
    const reports = turns(Math.ceil((signals * 6) / 13), 1)
    return { asked: signals, ...timed(() => feed(new Sessions(), reports)) }
  })
  results.length = rows
  for (const { signals, microseconds } of rows)
    say(`${String(signals).padStart(9)} signals in one: ${microseconds.toFixed(2)} µs a signal`)
}

function factsSize(): void {
  const sizes = runs.flatMap((reports) => {
    const sessions = new Sessions()
    feed(sessions, reports)
    return [...sessions.ids()].map((id) => JSON.stringify(sessions.facts(id)).length)
  })
  const long = new Sessions()
  feed(long, turns(100_000, 1))
  const longest = JSON.stringify(long.facts('session-0')).length
  const sorted = sizes.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  const max = sorted.at(-1) ?? 0
  results.factsBytes = { median, max, longest }
  say(`facts of a session: ${median} bytes (median), ${max} (largest)`)
  say(`facts after 100,000 reports: ${longest} bytes`)
}

/** Turns with prompt, tool, permission, answer and end, distributed over all sessions. */
function turns(reports: number, sessions: number): Report[] {
  const steps = [
    ['UserPromptSubmit', { prompt: 'go' }],
    ['PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } }],
    ['PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } }],
    ['PostToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: {} }],
    ['PostToolBatch', { tool_calls: [] }],
    ['Stop', { background_tasks: [] }],
  ] as const
  const begin = Date.UTC(2026, 0, 5)
  return Array.from({ length: reports }, (_, i) => {
    const who = i % sessions
    const step = Math.floor(i / sessions)
    const [event, fields] = steps[step % steps.length] ?? steps[0]
    const turn = `${who}-${Math.floor(step / steps.length)}`
    return {
      t: begin + i * 7,
      source: 'hook',
      env: { ppid: 1_000 + who, tmuxPane: `%${who}` },
      payload: {
        session_id: `session-${who}`,
        transcript_path: `/home/ada/.claude/projects/-p${who % 50}/session-${who}.jsonl`,
        hook_event_name: event,
        prompt_id: turn,
        tool_use_id: `tool-${turn}`,
        ...fields,
      },
    }
  })
}

function say(line: string): void {
  if (!json) process.stdout.write(`${line}\n`)
}

function thousands(perSecond: number): string {
  return `${Math.round(perSecond / 1000).toLocaleString('en')},000 signals a second`
}
