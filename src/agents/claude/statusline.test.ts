import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aboutStatusline, fromStatusline } from './statusline.ts'

const reportOf = (payload: object) => ({ t: 1, source: 'statusline' as const, payload })

const PAYLOAD = {
  session_id: 's',
  transcript_path: '/home/ada/.claude/projects/-engine/s.jsonl',
  cwd: '/engine',
  version: '2.1.325',
  model: { id: 'claude-opus-5-5', display_name: 'Opus 5.5' },
  cost: { total_cost_usd: 0.5, total_duration_ms: 45_000 },
  context_window: { used_percentage: 8, remaining_percentage: 92 },
}

it('[X6] brings a sign of life and figures', () => {
  expect(aboutStatusline(reportOf(PAYLOAD))).toEqual({
    agent: 'claude',
    session: 's',
    folder: '-engine',
  })
  expect(fromStatusline(reportOf(PAYLOAD))).toEqual([
    { kind: 'life' },
    {
      kind: 'details',
      details: {
        cwd: '/engine',
        transcript: '/home/ada/.claude/projects/-engine/s.jsonl',
        version: '2.1.325',
        model: 'Opus 5.5',
        contextLeftPercent: 92,
        costUsd: 0.5,
      },
    },
  ])
})

it('[X6] no field of it tells a state', () => {
  const payload = fc.object({ key: fc.constantFrom('status', 'state', 'hook_event_name', 'busy') })
  fc.assert(
    fc.property(payload, (more) => {
      const happenings = fromStatusline(reportOf({ ...more, ...PAYLOAD }))
      expect(happenings.map(({ kind }) => kind)).toEqual(['life', 'details'])
    }),
  )
})

it('[X6] without a session it is about none', () => {
  expect(fromStatusline(reportOf({ ...PAYLOAD, session_id: '' }))).toEqual([])
})

it('a figure of nought is a figure, one not known yet is none', () => {
  const context_window = { remaining_percentage: null }
  const cost = { total_cost_usd: 0 }
  expect(fromStatusline(reportOf({ session_id: 's', context_window, cost }))).toEqual([
    { kind: 'life' },
    { kind: 'details', details: { costUsd: 0 } },
  ])
})
