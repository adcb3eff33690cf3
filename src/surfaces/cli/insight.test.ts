import { expect, it } from 'vitest'
import { aSession } from '../../../test/support/sessions.ts'
import type { Insight } from '../../protocol/insight.ts'
import { csvText, insightLines } from './insight.ts'

const NOW = 5_000_000
const NOTHING = {
  period: 'today',
  totals: { sessions: 1, turns: 1, workedMs: 60_000, waitedMs: 0, costUsd: null, tokens: null },
  answers: { count: 0, medianMs: null, p90Ms: null, byKind: [] },
  hooks: { reports: 0, expected: 0, told: 0, medianDelayMs: null, p99DelayMs: null },
  ...{ unwatchedMs: 0, byProject: [], longestWaits: [], byHour: [] },
} as unknown as Insight

it('[VW32] the figures have what is left of each subscription, and no invented price', () => {
  const windows = [{ usedPercent: 12.5, lastsMs: 18_000_000, resetsAt: NOW + 7_200_000 }]
  const session = aSession({ id: 'one', agent: 'codex', limits: { at: 1, windows } })
  const tokens = { input: 1_000, output: 20, cacheRead: 0, cacheWritten: 0 }
  const found = { ...NOTHING, totals: { ...NOTHING.totals, tokens } }
  const lines = insightLines(found, [session], NOW, (_, text) => text)
  expect(lines).toContain('  limits          Codex: 5 h limit 87 % left, resets in 2 h')
  expect(lines.find((line) => line.startsWith('  tokens'))).toContain('1.0 k')
  expect(lines.find((line) => line.startsWith('  cost'))).toMatch(/– +only a status line/)
  const before = insightLines(NOTHING, [aSession({ id: 'two' })], NOW, (_, text) => text)
  expect(before.join('\n')).not.toContain('limits')
})

it('[FL188] a table of another machine is made here, and its texts are no formulas', async () => {
  const tokens = { input: 0, output: 0, cacheRead: 0, cacheWritten: 0 }
  const figures = { sessions: 1, turns: 1, workedMs: 1, waitedMs: 0, costUsd: null, tokens }
  const found = { ...NOTHING, byProject: [{ project: '=HYPERLINK("x")', ...figures }] }
  const client = {
    insight: async () => ({ ...found, machine: 'm' }) as never,
    insightCsv: async () => 'of this machine',
  }
  const wanted = { period: 'today', zone: 'UTC', machine: 'm' } as const
  expect(await csvText(client, wanted, 'projects')).toContain(`"'=HYPERLINK(""x"")",1,1`)
  const own = await csvText(client, { ...wanted, machine: undefined }, 'projects')
  expect(own).toBe('of this machine')
})
