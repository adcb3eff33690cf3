import { expect, it } from 'vitest'
import { aSession } from '../../../test/support/sessions.ts'
import type { Insight } from '../../protocol/insight.ts'
import { insightLines } from './insight.ts'

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
