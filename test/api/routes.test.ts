import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Session } from '../../src/protocol/session.ts'
import { SOCKET, testApi } from './ask.ts'
import { inProcess } from './in-process.ts'
import { MemoryApi } from './memory-fleet.ts'
import { seenFleet } from './support.ts'

const seen = seenFleet()
const [first] = seen.sessions({ all: false }).sessions
const id = first?.id ?? ''

describe('asking', () => {
  const { get, head } = testApi(seen)

  it('[P9] the sessions, each with every field', async () => {
    const { status, json } = await get('/v1/sessions')
    expect(status).toBe(200)
    expect(json.seq).toBe(seen.feed.lastId())
    expect(json.sessions.length).toBeGreaterThan(4)
    expect(json.sessions.find((session: Session) => session.id === id)).toEqual(first)
    expect((await get('/v1/sessions?all=true')).status).toBe(200)
  })

  it('[P9] one session, its history, its reports, and why', async () => {
    expect((await get(`/v1/sessions/${id}`)).json).toEqual(seen.session(id))
    const history = await get(`/v1/sessions/${id}/history?limit=2`)
    expect(history.json.history).toEqual(JSON.parse(JSON.stringify(seen.history(id, 2))))
    expect(history.json.history).toHaveLength(2)
    const explained = await get(`/v1/sessions/${id}/explain`)
    expect(explained.json.session.rule).toBe(first?.rule)
    const reports = await get(`/v1/sessions/${id}/reports?limit=1000`)
    expect(reports.json.reports.length).toBe(seen.reports({ session: id, limit: 1000 }).length)
  })

  it('[P9] all reports page by page, none left out and none twice', async () => {
    const found: number[] = []
    for (let after: number | null = 0; after !== null; ) {
      const { json } = await get(`/v1/reports?limit=37&after=${after}`)
      found.push(...json.reports.map((entry: { id: number }) => entry.id))
      after = json.next
    }
    expect(found).toEqual(seen.log.map((entry) => entry.id))
    const hooks = await get('/v1/reports?source=registry&limit=1000')
    const sources = hooks.json.reports.map((entry: (typeof seen.log)[0]) => entry.report.source)
    expect(new Set(sources)).toEqual(new Set(['registry']))
  })

  it('[P7] a page of large reports is cut, and goes on where it was cut', async () => {
    const fleet = seenFleet()
    const text = 'x'.repeat(3 * 1024 * 1024)
    const report = { t: fleet.now, source: 'hook' as const, payload: { text } }
    fleet.play([report, report, report])
    const { json } = await testApi(fleet).get(`/v1/reports?after=${fleet.log.length - 3}`)
    expect(json.reports).toHaveLength(1)
    expect(json.next).toBe(fleet.log.length - 2)
  })

  it('[P3] health, with refusals and subscribers', async () => {
    const { get: ask, app } = testApi(seen)
    await inProcess(app, '/v1/sessions')
    const { json } = await ask('/v1/health')
    expect(json).toMatchObject({ version: '0.0.0', durable: true, subscribers: 0 })
    expect(json.refused).toEqual({ host: 1 })
    const { text, headers } = await ask('/v1/metrics')
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(text).toContain(`vigil_reports_total ${seen.log.length}\n`)
    expect(text).toContain('vigil_api_refused_total{reason="host"} 1\n')
  })

  it('[P8] what is not there is 404, in JSON', async () => {
    for (const path of ['/', '/v1', '/v1/nothing', '/v1/sessions/', '/v2/sessions'])
      expect((await get(path)).json.error).toMatch(/no such route/)
    for (const part of ['', '/history', '/reports', '/explain'])
      expect((await get(`/v1/sessions/nobody${part}`)).json.field).toBe('id')
  })

  it('[P8] an id is any text, and comes through as it was', async () => {
    const fleet = new MemoryApi()
    const { get: ask } = testApi(fleet)
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }),
        async (any) => {
          fc.pre(!/[\p{Cc}]/u.test(any) && any !== '.' && any !== '..')
          const asked: string[] = []
          fleet.session = (given) => void asked.push(given)
          expect((await ask(`/v1/sessions/${encodeURIComponent(any)}`)).status).toBe(404)
          expect(asked).toEqual([any])
        },
      ),
    )
  })

  it('answers HEAD as GET, without a body and without a subscription', async () => {
    const { status, text } = await head('/v1/events')
    expect([status, text]).toEqual([200, ''])
    expect(seen.feed.listeners.size).toBe(0)
    expect((await head('/v1/health')).text).toBe('')
  })
})

describe('bad input', () => {
  const { get, post } = testApi(seen)
  const hook = { source: 'hook' }
  const now = seen.now

  it.each([
    ['/v1/sessions?all=yes', 'query.all', /"true"\|"false", got "yes"$/],
    ['/v1/sessions?some=1', 'query.some', /unknown field; leave it out$/],
    ['/v1/sessions?all=true&all=false', 'query', /each parameter once/],
    ['/v1/health?x=1', 'query.x', /unknown field; leave it out$/],
    [`/v1/sessions/${id}/history?limit=0`, 'query.limit', />=1, got "0"$/],
    [`/v1/sessions/${id}/history?limit=1001`, 'query.limit', /<=1000, got "1001"$/],
    [`/v1/sessions/${id}/history?limit=1e2`, 'query.limit', /a whole number.*got "1e2"$/],
    ['/v1/reports?after=-1', 'query.after', /a whole number.*got "-1"$/],
    ['/v1/reports?source=rumour', 'query.source', /"hook".*got "rumour"$/],
    ['/v1/events?after=x', 'query.after', /got "x"$/],
    [`/v1/sessions/${'a'.repeat(301)}`, 'path.id', /at most 300 characters, got "…"/],
    ['/v1/sessions/a%00b', 'path.id', /no control characters, got "a\\u0000b"$/],
    ['/v1/sessions/a%0d%0ab', 'path.id', /no control characters/],
  ])('[P10] GET %s names %s', async (target, field, words) => {
    const { status, json } = await get(target)
    expect([status, json.field]).toEqual([400, field])
    expect(json.error).toMatch(words)
  })

  it.each([
    ['/v1/reports', 'not json', 'body', /expected JSON in UTF-8, got 8 other bytes/],
    ['/v1/reports', '[[[[[[[[[[1]]]]]]]]]]', 'body.0', /expected object/],
    ['/v1/reports', '5', 'body', /expected object, got 5$/],
    ['/v1/reports', {}, 'body.report', /expected object, got nothing$/],
    ['/v1/reports', { report: { source: 'x' } }, 'body.report.source', /"hook".*got "x"$/],
    ['/v1/reports', { report: hook, more: 1 }, 'body.more', /unknown field; leave it out$/],
    ['/v1/reports', { report: hook, key: 5 }, 'body.key', /expected string, got 5$/],
    ['/v1/reports', { report: { ...hook, t: 'x' } }, 'body.report.t', /number, got "x"$/],
    ['/v1/reports', { report: { ...hook, t: -1 } }, 'body.report.t', />=0, got -1$/],
    ['/v1/reports', { report: { ...hook, t: now + 86_400_001 } }, 'body.report.t', /a day/],
    ['/v1/reports', [], 'body', />=1 items, got a list of 0$/],
    ['/v1/reports', [{ report: hook }, {}], 'body.1.report', /expected object, got nothing$/],
    ['/v1/reports', Array(1001).fill({ report: hook }), 'body', /<=1000.*got a list of 1001$/],
    ['/v1/reports', { report: { ...hook, x: nested(101) } }, 'body.report', /levels of nesting/],
    ['/v1/import', { name: '', lines: [hook] }, 'body.name', />=1 characters, got ""$/],
    ['/v1/import', { name: 'a', lines: [hook] }, 'body.lines.0.t', /number, got nothing$/],
  ])('[P10] POST %s %j names %s', async (target, body, field, words) => {
    const before = seen.log.length
    const { status, json } = await post(target, body)
    expect([status, json.field]).toEqual([400, field])
    expect(json.error).toMatch(words)
    expect(seen.log.length).toBe(before)
  })

  it('[P10] POST /v1/stop over the socket names body.why', async () => {
    const { status, json } = await testApi(undefined, {}, SOCKET).post('/v1/stop', { why: 7 })
    expect([status, json.field]).toEqual([400, 'body.why'])
    expect(json.error).toMatch(/expected string, got 7$/)
  })

  it('[P3] what looks like a token is not repeated', async () => {
    const secret = 'ab'.repeat(32)
    const { text } = await post('/v1/reports', { report: { source: secret }, [secret]: 1 })
    expect(text).not.toContain(secret.slice(0, 32))
  })
})

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)]
}
