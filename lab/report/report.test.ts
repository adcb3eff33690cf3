import { describe, expect, it } from 'vitest'
import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import { resultOf } from '../score/result.ts'
import { sumsOf } from '../score/sums.ts'
import { jsonOf } from './json.ts'
import { worstFirst, wrongIn } from './order.ts'
import { pageOf } from './page.ts'
import { tableOf } from './table.ts'
import { msText, percentText } from './words.ts'

/** A client that works from 2 s to 6 s, and a daemon that reports its end this much later. */
function run(name: string, lateMs: number, more: { failed?: string; lines?: RecordedLine[] } = {}) {
  const file = (t: number, status: string): RecordedLine => ({
    ...{ t, source: 'registry', pid: 7 },
    file: { pid: 7, sessionId: 'a', status, statusUpdatedAt: t },
  })
  const says = (t: number, state: string): RecordedLine => ({
    ...{ t, source: 'vigil' },
    sessions: [{ id: 'a', pid: 7, state, rule: 'R4', reason: 'the client <says> "so"' }],
  })
  const lines = [
    { t: 0, source: 'action', what: 'launch', value: ['claude'] },
    ...[file(1_000, 'idle'), says(1_010, 'idle'), file(2_000, 'busy'), says(2_040, 'working')],
    { t: 1_900, source: 'action', what: 'submit', value: 'do it' },
    ...[file(6_000, 'idle'), says(6_000 + lateMs, 'idle'), ...(more.lines ?? [])],
    { t: 10_000, source: 'statusline', payload: {} },
  ].toSorted((a, b) => a.t - b.t)
  const { failed } = more
  return resultOf({
    name,
    shows: `What ${name} shows.`,
    client: '2.1.325',
    lines,
    ...(failed && { failed }),
  })
}

const GOOD = run('good', 30)
const LATE = run('late', 1_200)
const FAILED = run('broken', 30, { failed: 'waited in vain\n<screen>' })
const ALL = [GOOD, LATE, FAILED]
const plain = (_: string, text: string) => text

describe('the table', () => {
  const text = tableOf(ALL, sumsOf(ALL), plain)
  const lines = text.split('\n')

  it('fits a terminal of 100 columns, however long a name is', () => {
    const long = run('n'.repeat(60), 9, { failed: 'because '.repeat(40) })
    for (const line of [...lines, ...tableOf([long], sumsOf([long]), plain).split('\n')])
      expect([...line].length, line).toBeLessThanOrEqual(100)
  })

  it('has a row for each run, in the order they were played', () => {
    const at = ['good', 'late', 'broken'].map((name) =>
      lines.findIndex((row) => row.startsWith(name)),
    )
    expect(at).toEqual(at.toSorted((a, b) => a - b))
    expect(at[0]).toBeGreaterThan(0)
    expect(lines.find((row) => row.startsWith('good'))).toMatch(/100\.00 .* 100\.00 .* 30 ms$/)
  })

  it('says what was wrong, when, and by which rule', () => {
    expect(text).toContain('live wrong for 900 ms at 6.30 s: idle, said working (R4)')
    expect(text).toContain('failed: waited in vain\n')
    expect(text).not.toContain('<screen>')
  })

  it('says of a run that never began only why', () => {
    const about = { name: 'none', shows: '', client: '', lines: [], failed: 'no daemon' }
    const none = [resultOf(about)]
    expect(tableOf(none, sumsOf(none), plain)).toMatch(/^none +–.*\n {2}failed: no daemon\n\n/m)
  })

  it('has the sums, without what failed, and a row for each source left out', () => {
    expect(text).toContain('2 of 3 runs')
    expect(text).toMatch(/^live +9\d\.\d\d .* 2 of 2 .*ms$/m)
    for (const names of ['hook', 'registry,screen'])
      expect(text).toMatch(new RegExp(`^  without ${names} +\\d`, 'm'))
  })

  it('has no columns for a daemon where none watched', () => {
    const { live: _, ...core } = GOOD
    const alone = [{ ...core, live: undefined }]
    expect(tableOf(alone, sumsOf(alone), plain)).not.toContain('live')
  })

  it('paints by how wrong a run was', () => {
    const painted = tableOf(ALL, sumsOf(ALL), (colour, line) => `${colour}:${line}`)
    expect(painted).toMatch(/^green:good/m)
    expect(painted).toMatch(/^red:late/m)
    expect(painted).toMatch(/^red:broken/m)
    const some = tableOf([run('some', 400)], sumsOf([]), (colour, line) => `${colour}:${line}`)
    expect(some).toMatch(/^yellow:some/m)
  })
})

describe('the JSON', () => {
  it('is what was measured, without timelines', () => {
    expect(jsonOf(LATE)).toMatchObject({
      ...{ run: 'late', client: '2.1.325', truthFrom: 'registry' },
      live: { worst: { ms: 900 }, finalRight: true, delaysMs: [40, 1_200], delayMedianMs: 40 },
      without: { hook: { finalRight: true } },
    })
    expect(jsonOf(LATE)).not.toHaveProperty('failed')
    expect(jsonOf(FAILED)).toHaveProperty('failed', 'waited in vain\n<screen>')
    expect(JSON.stringify(jsonOf(LATE))).toContain('"byState":{"idle":')
  })
})

describe('the page', () => {
  const page = pageOf(ALL, sumsOf(ALL), '3 conversations & more.')

  it('needs nothing but itself', () => {
    expect(page).not.toMatch(/(src|href)=|@import|url\(|<script/)
    expect(page).toContain('3 conversations &#38; more.')
  })

  it('shows each run once, the failed and the wrong ones first', () => {
    const names = [...page.matchAll(/<h3>(\w+)<\/h3>/g)].map(([, name]) => name)
    expect(names).toEqual(['broken', 'late', 'good'])
    expect(page.match(/<article class="bad">/g)).toHaveLength(2)
    expect(page).toContain('wrong or failed: 2')
  })

  it('has truth and both verdicts on one axis', () => {
    const [article = ''] = pageOf([LATE], sumsOf([LATE]), '')
      .split('<article')
      .slice(1)
    const blocks = (who: string) => {
      const lane = new RegExp(`<span>${who}</span><svg class="lane".*?</svg></svg>|$`).exec(article)
      return [
        ...(lane?.[0] ?? '').matchAll(/<svg class="(\w+)" x="([\d.]+)%" width="([\d.]+)%"/g),
      ].map(([, state, x, width]) => `${state} ${x} ${width}`)
    }
    expect(blocks('truth')).toEqual([
      ...['idle 10.000 10.000', 'working 20.000 40.000', 'idle 60.000 40.000'],
    ])
    expect(article).toMatch(/<svg class="working" x="20\.400%" width="51\.600%"/)
    expect(article).toMatch(/<rect class="wrong" x="63\.000%" width="9\.000%"/)
  })

  it('says when, what and why of each block, as text', () => {
    expect(page).toContain(
      'working: 2.04 s – 7.20 s (5160 ms)\n2.04 s R4: the client &#60;says&#62;',
    )
    expect(page).toContain('wrong for 900 ms: it was idle, said working')
    expect(page).not.toMatch(/<(says|screen)>/)
  })

  it('shows what its user did', () => {
    expect(page).toContain('<title>1.90 s submit do it</title>')
  })

  it('hatches the time in which the daemon was away', () => {
    const event = (t: number, what: string): RecordedLine => ({ t, source: 'vigil', event: what })
    const away = run('away', 30, { lines: [event(3_000, 'killed'), event(4_000, 'returned')] })
    expect(pageOf([away], sumsOf([away]), '')).toContain('class="away" x="30.000%" width="20.000%"')
  })

  it('goes on past the last line where the core was wrong later', () => {
    const [client] = GOOD.clients
    const [core] = client?.speakers ?? []
    const wrong = {
      from: 12_000,
      to: 20_000,
      right: false,
      truth: { t: 0, state: 'idle' as const },
    }
    const speakers = core ? [{ ...core, wrong: [{ ...wrong, said: undefined }] }] : []
    const later = { ...GOOD, clients: client ? [{ ...client, speakers }] : [] }
    expect(pageOf([later], sumsOf([]), '')).toContain('class="wrong" x="60.000%" width="40.000%"')
  })
})

it('wrong pieces that touch and say the same are one', () => {
  const truth = { t: 0, state: 'idle' as const }
  const piece = (from: number, to: number, state: string) => ({
    ...{ from, to, truth, right: false },
    said: { t: 0, verdict: { session: 'a', state } },
  })
  const wrong = [
    piece(1, 2, 'working'),
    piece(2, 5, 'working'),
    piece(5, 6, 'error'),
    piece(8, 9, 'error'),
  ]
  const spans = wrongIn([
    { truths: [truth], speakers: [{ who: 'core', told: [], wrong, away: [] }] },
  ])
  expect(spans.map(({ from, to, said }) => `${from}-${to} ${said}`)).toEqual([
    ...['1-5 working', '5-6 error', '8-9 error'],
  ])
})

it('says how many changes were never said, and what was listed that was none', () => {
  const ghost = { id: 'process:9', pid: 9, state: 'starting' }
  const lines = [{ t: 9_500, source: 'vigil', sessions: [ghost] }]
  const bad = [run('bad', 4_500, { lines })]
  const notes = ['live: 1 of 2 changes were never said', 'live: sessions listed that were none: 1']
  for (const report of [tableOf(bad, sumsOf(bad), plain), pageOf(bad, sumsOf(bad), '')])
    for (const note of [...notes, 'live lists a session that is none: process:9'])
      expect(report).toContain(note)
})

it('a run in which only a ghost was seen is one to look at', () => {
  const own = { id: 'a', pid: 7, state: 'working' }
  const sessions = [own, { id: 'process:9', pid: 9, state: 'starting' }]
  const seen = [run('seen', 30, { lines: [{ t: 3_000, source: 'vigil', sessions }] })]
  expect(pageOf(seen, sumsOf(seen), '')).toContain('wrong or failed: 1')
})

it('those that were never wrong stay in the order they were played', () => {
  const names = worstFirst([run('b', 9), run('a', 9), LATE, run('c', 9)]).map(({ name }) => name)
  expect(names).toEqual(['late', 'b', 'a', 'c'])
})

it.each([
  [100, '100.00'],
  [99.999, '99.99'],
  [99.9999999999, '100.00'],
  [0, '0.00'],
])('%d %% is shown as %s: only what is whole is 100', (value, text) => {
  expect(percentText(value)).toBe(text)
})

it.each([
  [undefined, '–'],
  [0, '0 ms'],
  [-57.4, '-57 ms'],
  [9_999, '9999 ms'],
  [12_345, '12.3 s'],
])('%s ms is shown as %s', (value, text) => {
  expect(msText(value)).toBe(text)
})
