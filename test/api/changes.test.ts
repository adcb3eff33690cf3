import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { OWN_MACHINE } from '../support/machines.ts'
import { SOCKET, testApi } from './ask.ts'
import { MemoryApi } from './memory-fleet.ts'

const start = {
  hook_event_name: 'SessionStart',
  session_id: 's1',
  cwd: '/home/ada',
  source: 'startup',
}
const hook = { source: 'hook', payload: start }
const T = Date.UTC(2026, 0, 5)

describe('posting a report', () => {
  it('[P11] is answered with the session when it is in the log', async () => {
    const { post, get, fleet } = testApi(new MemoryApi(), { now: () => T })
    const { json } = await post('/v1/reports', { report: { t: T, ...hook }, key: 'k' })
    expect(json).toEqual({ machine: OWN_MACHINE, sessions: ['s1'] })
    expect(fleet.log).toHaveLength(1)
    expect((await get('/v1/sessions/s1')).json).toMatchObject({ state: 'idle', cwd: '/home/ada' })
    const { json: page } = await get('/v1/sessions/s1/reports')
    expect(page.reports).toEqual([{ id: 1, session: 's1', key: 'k', report: { t: T, ...hook } }])
  })

  it('[BR9] over TCP it tells of no process and no terminal, over the socket it does', async () => {
    const places = { env: { claudePid: 7, tmuxPane: '%1' }, pid: 7, pane: '%1', tmuxPane: '%1' }
    const file = { pid: 7, procStart: '9', sessionId: 's1', status: 'idle' }
    const report = { t: T, ...hook, ...places, file }
    const byTcp = testApi(new MemoryApi(), { now: () => T })
    await byTcp.post('/v1/reports', { report })
    expect(byTcp.fleet.log[0]?.report).toEqual({
      ...{ t: T, ...hook },
      file: { sessionId: 's1', status: 'idle' },
    })
    const bySocket = testApi(new MemoryApi(), { now: () => T }, SOCKET)
    await bySocket.post('/v1/reports', { report })
    expect(bySocket.fleet.log[0]?.report).toEqual(report)
  })

  it('[X12] names its agent by text, or not at all', async () => {
    const { post, fleet } = testApi(new MemoryApi(), { now: () => T })
    const { status, json } = await post('/v1/reports', { report: { t: T, ...hook, agent: 7 } })
    expect([status, json.field]).toEqual([400, 'body.report.agent'])
    await post('/v1/reports', { report: { t: T, ...hook, agent: 'another' } })
    expect(fleet.log.map(({ report }) => report.agent)).toEqual(['another'])
  })

  it('[P11] with a key already known changes nothing', async () => {
    const { post, fleet } = testApi(new MemoryApi(), { now: () => T })
    await post('/v1/reports', { report: { t: T, ...hook }, key: 'k' })
    await post('/v1/reports', { report: { t: T, ...hook }, key: 'k' })
    expect(fleet.log).toHaveLength(1)
  })

  it('[P11] takes a list in its order, unknown fields included', async () => {
    const { post, fleet } = testApi(new MemoryApi(), { now: () => T })
    const list = [1, 2, 3].map((n) => ({ report: { t: T + n, ...hook, unheard: { of: n } } }))
    const { json } = await post('/v1/reports', list)
    expect(json.sessions).toHaveLength(3)
    expect(fleet.log.map(({ report }) => report.unheard)).toEqual([{ of: 1 }, { of: 2 }, { of: 3 }])
  })

  it('[P11] without a time is of the present; up to a day ahead is taken', async () => {
    const fleet = new MemoryApi()
    const { post } = testApi(fleet, { now: () => T })
    await post('/v1/reports', { report: hook })
    await post('/v1/reports', { report: { ...hook, t: T + 86_400_000 } })
    expect(fleet.log.map(({ report }) => report.t)).toEqual([T, T + 86_400_000])
  })

  it('[P11] that the log does not take is 503, and said', async () => {
    const { post, fleet } = testApi(new MemoryApi(), { now: () => T })
    fleet.failure = new Error('disk is full')
    const { status, json } = await post('/v1/reports', { report: hook })
    expect(status).toBe(503)
    expect(json.error).toBe('the log could not be written: disk is full')
  })

  it('[P11] that the log cannot take for now is 503 too, not an endless wait', async () => {
    const fleet = new MemoryApi()
    const { post } = testApi(fleet, { now: () => T, logWaitMaxMs: 20 })
    fleet.post = () => new Promise(() => {})
    const { status, json } = await post('/v1/reports', { report: hook })
    expect([status, json.error]).toEqual([503, expect.stringContaining('not written within 20 ms')])
  })

  it('[P11] with a key that poisons objects poisons none', async () => {
    const { post, fleet } = testApi(new MemoryApi(), { now: () => T })
    await post('/v1/reports', '{"report":{"source":"hook","__proto__":{"evil":1}}}')
    expect(fleet.log).toHaveLength(1)
    expect(fleet.log[0]?.report.evil).toBe(undefined)
    expect(({} as { evil?: number }).evil).toBe(undefined)
  })
})

describe('other changes', () => {
  it('[P11] a recording becomes sessions that are not live', async () => {
    const { post, fleet } = testApi(new MemoryApi(), { now: () => T })
    const { json } = await post('/v1/import', { name: 'rec', lines: [{ t: T, ...hook }] })
    expect(json.sessions).toEqual(['rec/s1'])
    expect(fleet.imported).toEqual(['rec'])
  })

  it('[P14] the daemon is asked to end when the answer was sent', async () => {
    const { post, fleet } = testApi(new MemoryApi(), { now: () => T }, SOCKET)
    const outgoing = new EventEmitter()
    expect((await post('/v1/stop', { why: 'test' }, outgoing)).json).toEqual({ stopping: true })
    expect(fleet.stops).toEqual([])
    outgoing.emit('close')
    expect(fleet.stops).toEqual(['test'])
  })

  it('a fault of the daemon is 500 without its details, which go to the log', async () => {
    const fleet = new MemoryApi()
    const said: unknown[] = []
    const { get } = testApi(fleet, { complain: (_what, about) => said.push(about.error) })
    fleet.metrics = () => {
      throw new Error('inner detail')
    }
    const { status, text } = await get('/v1/metrics')
    expect(status).toBe(500)
    expect(text).not.toContain('inner detail')
    expect(String(said[0])).toContain('inner detail')
  })
})
