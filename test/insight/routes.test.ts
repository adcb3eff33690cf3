import { describe, expect, it } from 'vitest'
import { TABLES } from '../../src/protocol/constants.ts'
import {
  type Insight,
  insightAnswer as insight,
  type Timeline,
  timelineAnswer as timeline,
} from '../../src/protocol/insight.ts'
import { hooksWords } from '../../src/view/insight.ts'
import { testApi } from '../api/ask.ts'
import { seenFleet } from '../api/support.ts'

const fleet = seenFleet()
const { get } = testApi(fleet)
const id = fleet.sessions({ all: true }).sessions.find(({ state }) => state === 'idle')?.id ?? ''

describe('GET /v1/insight', () => {
  it('[IN2][IN10] the figures of what the real client did, in their schema’s shape', async () => {
    const { status, json } = await get('/v1/insight?period=month&zone=UTC')
    expect(status).toBe(200)
    expect(insight.parse(json)).toEqual(json)
    const { totals, answers, hooks, byHour, byDay } = json as Insight
    expect(totals.sessions).toBeGreaterThan(2)
    expect(totals.workedMs).toBeGreaterThan(5_000)
    expect(totals.waitedMs).toBeGreaterThan(1_000)
    expect(totals.tokens?.output).toBeGreaterThan(0)
    expect(answers.byKind.map(({ kind }) => kind)).toContain('permission')
    expect(hooks.told).toBe(hooks.expected)
    expect(hooks.expected).toBeGreaterThan(10)
    expect(hooks.p99DelayMs).toBeGreaterThan(0)
    expect(hooksWords(hooks)).toMatch(/^100 % of \d+ events seen, after \d+ ms/)
    for (const kind of ['workedMs', 'waitedMs'] as const) {
      expect(byHour.reduce((sum, hour) => sum + hour[kind], 0)).toBeCloseTo(totals[kind], 3)
      expect(byDay.reduce((sum, day) => sum + day[kind], 0)).toBeCloseTo(totals[kind], 3)
    }
  })

  it('[IN1] a week and a month have as many days', async () => {
    expect((await get('/v1/insight?period=week')).json.byDay).toHaveLength(7)
    expect((await get('/v1/insight?period=month&zone=Asia/Kathmandu')).json.byDay).toHaveLength(30)
  })

  it.each([
    ['period=year', 'query.period'],
    ['zone=Mars/Olympus', 'query.zone'],
    [`zone=${'x'.repeat(100)}`, 'query.zone'],
    ['zone=', 'query.zone'],
    ['days=3', 'query.days'],
  ])('[IN15] %s is said to be wrong', async (query, field) => {
    const { status, json } = await get(`/v1/insight?${query}`)
    expect({ status, field: json.field }).toEqual({ status: 400, field })
  })

  it('[IN11] every table comes as a file', async () => {
    for (const table of TABLES) {
      const { status, text, headers } = await get(`/v1/insight.csv?table=${table}&zone=UTC`)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
      expect(headers.get('content-disposition')).toContain(`vigil-today-${table}.csv`)
      expect(text.trimEnd().split('\r\n').length).toBeGreaterThan(1)
    }
    expect((await get('/v1/insight.csv?table=secrets')).status).toBe(400)
  })
})

describe('GET /v1/sessions/{id}/timeline', () => {
  it('[IN20][IN21] all lanes of a session, in their schema’s shape', async () => {
    const { status, json } = await get(`/v1/sessions/${id}/timeline`)
    expect(status).toBe(200)
    expect(timeline.parse(json)).toEqual(json)
    const { lanes, thinned, stepsFrom } = json as Timeline
    expect(lanes[0]?.kind).toBe('state')
    expect(lanes.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['state', 'turn', 'tool']))
    expect({ thinned, stepsFrom }).toEqual({ thinned: 0, stepsFrom: null })
  })

  it('[IN22] a stretch of it has what lies in it, and what reaches into it', async () => {
    const whole = (await get(`/v1/sessions/${id}/timeline`)).json as Timeline
    const middle = whole.lanes[0]?.spans[2]
    const from = Math.floor(middle?.from ?? 0) + 10
    const part = (await get(`/v1/sessions/${id}/timeline?from=${from}&to=${from + 20}`)).json
    expect(part.lanes[0].spans.map(({ word }: { word: string }) => word)).toContain(middle?.word)
    for (const { spans } of (part as Timeline).lanes)
      for (const span of spans) {
        expect(span.from).toBeLessThan(from + 20)
        expect(span.to ?? from).toBeGreaterThanOrEqual(from)
      }
  })

  it('[IN22] a period that ends before it begins is an error; no session is 404', async () => {
    const wrong = await get(`/v1/sessions/${id}/timeline?from=20&to=10`)
    expect({ status: wrong.status, field: wrong.json.field }).toEqual({
      status: 400,
      field: 'query.to',
    })
    expect((await get(`/v1/sessions/${id}/timeline?from=now`)).status).toBe(400)
    expect((await get('/v1/sessions/nobody/timeline')).status).toBe(404)
  })
})
