import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allRecordings } from '../../../test/support/recordings.ts'
import type { Report } from '../../core/signal.ts'
import { reportsOf } from '../../recording/read.ts'
import { ownWordsOf, replayedChanges } from './export-verify.ts'
import { redactAll } from './redact.ts'

/** Words that a user chose, in the form of the client's own values. */
const CANARIES: readonly string[] = [
  ...['zebrafinch', 'zebra finch says: no', 'Zebrafinch', 'ZEBRAFINCH', 'zebrafinch:7'],
  ...['mcp__zebrafinch__zebrafinch', 'claude-zebrafinch-5', '/home/zebrafinch/zebrafinch.ts'],
  ...[
    'zebrafinch_error',
    'https://zebrafinch.example/x',
    'agent-zebrafinch.jsonl',
    '2.1-zebrafinch',
  ],
  ...['<task-notification>\n<task-id>zebrafinch</task-id>', 'Stop hook feedback:\nzebrafinch'],
  ...['<command-name>/clear<zebrafinch', '%zebrafinch', '/dev/zebrafinch', 'SIGzebrafinch'],
]
const CANARY = /zebra ?finch/i

const runs = allRecordings().map((recording) => [recording.name, reportsOf(recording)] as const)

describe('what an export hides', () => {
  it.each(runs)('[OS5] no word that a user chose is in it, wherever it was: %s', (_, run) => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...CANARIES), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 7 }),
        fc.nat({ max: 6 }),
        (canaries, every, from) => {
          const reports = withCanaries(run, canaries, every, from)
          const hidden = redactAll(reports, { paths: true, screens: true })
          expect(CANARY.exec(JSON.stringify(hidden.reports))).toBeNull()
        },
      ),
      { numRuns: 10 },
    )
  })

  it.each(runs)('[OS5] and it is judged as before: %s', (_, run) => {
    const named = run.map((report) => renamed(report) as Report)
    const hidden = redactAll(named, { paths: true, screens: true }).reports
    expect(replayedChanges(hidden)).toBe(replayedChanges(named))
    expect(CANARY.exec(JSON.stringify(hidden))).toBeNull()
  })

  it('[OS5] a turn that died by a sentence of a gateway is one that died', () => {
    const payload = {
      session_id: 's1',
      hook_event_name: 'StopFailure',
      error: 'zebrafinch is full',
    }
    const report: Report = { t: 1, source: 'hook', payload }
    const { reports } = redactAll([report], { paths: true, screens: true })
    expect(replayedChanges(reports)).toContain('"state":"error"')
    expect(replayedChanges(reports)).toBe(replayedChanges([report]))
    const line = { t: 1, session: 's', state: 'error', since: 1, rule: 'E1', reason: 'zebrafinch' }
    const said = ownWordsOf({ ...line, state: 'error', unread: true, cause: 'zebrafinch is full' })
    expect(CANARY.exec(JSON.stringify(said))).toBeNull()
  })

  it('[OS5] tools of a server stay tools of one server, each another', () => {
    const call = (tool_name: string): Report => ({ t: 1, source: 'hook', payload: { tool_name } })
    const names = ['mcp__zebrafinch__ask', 'mcp__zebrafinch__work', 'mcp__other__ask', 'Bash']
    const { reports } = redactAll(names.map(call), { paths: true, screens: true })
    const told = reports.map(({ payload }) => (payload as { tool_name: string }).tool_name)
    expect(told).toEqual(['mcp__h1__h2', 'mcp__h1__h3', 'mcp__h4__h2', 'Bash'])
  })
})

/** Replaces every n-th string of a run. The kind of each report stays. */
function withCanaries(
  run: readonly Report[],
  canaries: readonly string[],
  every: number,
  from: number,
): Report[] {
  let seen = from
  const changed = (value: unknown): unknown => {
    if (typeof value === 'string')
      return seen++ % every === 0 ? canaries[seen % canaries.length] : value
    if (Array.isArray(value)) return value.map(changed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, changed(inner)]))
  }
  return run.map(({ t, source, ...rest }) => ({ ...(changed(rest) as object), t, source }))
}

const CHOSEN: Readonly<Record<string, string>> = {
  mcp_server_name: 'zebrafinch',
  agent_type: 'zebrafinch-reviewer',
  model: 'zebrafinch-large',
  gitBranch: 'feature/zebrafinch',
  error: 'zebrafinch is over its quota',
  customTitle: 'zebrafinch',
  terminal: 'zebrafinch',
}

/** The same run with other names for server, agents, model and branch. */
function renamed(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    if (value === '' || value === '<synthetic>') return value
    return CHOSEN[name] ?? value.replaceAll('mcp__lab__', 'mcp__zebrafinch__')
  }
  if (Array.isArray(value)) return value.map((inner) => renamed(inner, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, renamed(inner, field)]),
  )
}
