import { expect, it } from 'vitest'
import { Zone } from '../../src/insight/calendar.ts'
import { csvOf } from '../../src/insight/csv.ts'
import { Tally } from '../../src/insight/tally.ts'
import { TABLES } from '../../src/protocol/constants.ts'

const NOW = Date.UTC(2026, 10, 15, 12)

it('[IN11] every table has a head and a row for each, as many cells as its head', () => {
  const insight = anInsight('engine')
  for (const table of TABLES) {
    const [head = '', ...rows] = csvOf(insight, table).trimEnd().split('\r\n')
    expect(rows.length, table).toBeGreaterThan(0)
    for (const row of rows) expect(row.split(',')).toHaveLength(head.split(',').length)
  }
  expect(csvOf(insight, 'hours').split('\r\n')).toHaveLength(26)
  expect(csvOf(insight, 'projects')).toContain('\r\nengine,1,1,30000,30000,0.5,,,,\r\n')
})

it.each([
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+1+1', `'+1+1`],
  ['-2', `'-2`],
  ['@SUM(A1)', `'@SUM(A1)`],
  ['\t=1', `' =1`],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines\u0000', '"two lines "'],
  ['plain', 'plain'],
])('[IN11] a folder called %j is text in whatever opens the file', (name, cell) => {
  const row = csvOf(anInsight(name), 'projects').split('\r\n')[1] ?? ''
  expect(row.slice(0, row.length - ',1,1,30000,30000,0.5,,,,'.length)).toBe(cell)
})

function anInsight(project: string) {
  const tally = new Tally({ period: 'today', zone: new Zone('UTC'), now: NOW, absences: [] })
  const walk = tally.session('one', project)
  const row = (secondsAgo: number, state: 'working' | 'waiting', costUsd: number) => {
    const t = NOW - secondsAgo * 1_000
    return { t, state, for: state === 'waiting' ? 'plan' : null, since: t, costUsd }
  }
  walk.said(row(60, 'working', 0.25))
  walk.said(row(45, 'waiting', 0.5))
  walk.said(row(15, 'working', 0.5))
  walk.end()
  return tally.insight({
    ...{ reports: 0, lastAt: null, expected: 0, told: 0 },
    ...{ medianDelayMs: null, p99DelayMs: null, comparedFrom: null },
  })
}
