import type { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../src/daemon/api/app.ts'
import { unixEndpoint } from '../../src/daemon/api/endpoint.ts'
import { Subscribers } from '../../src/daemon/api/event-stream.ts'
import { RowEvents } from '../../src/daemon/api/row-events.ts'
import type { StreamEvent } from '../../src/protocol/stream.ts'
import { StoreError } from '../../src/store/errors.ts'
import { spooledAs } from '../support/spooled.ts'
import { testApi } from './ask.ts'
import { inProcess } from './in-process.ts'
import { MemoryApi } from './memory-fleet.ts'

const TOKEN = '5'.repeat(64)
const T = 1_790_000_000_000
const { digest } = spooledAs('hook.77')

function hook(t: number, event: string, more: object = {}) {
  const payload = { session_id: 'one', hook_event_name: event, cwd: '/p', ...more }
  return { t: T + t, source: 'hook' as const, payload, env: { claudePid: 9, asks: 1 } }
}

const call = { tool_name: 'Bash', tool_input: { command: 'npm test' } }

/** A request, and its waiting hook. */
async function scene() {
  const fleet = new MemoryApi()
  fleet.asking.hooks.waiting.set('hook.77', () => {})
  fleet.play([hook(1, 'UserPromptSubmit'), hook(2, 'PreToolUse', { ...call, tool_use_id: 't' })])
  fleet.spooled(hook(3, 'PermissionRequest', call), 'hook.77')
  const told = () => fleet.requests.outcome(spooledAs('hook.77'))
  return { ...testApi(fleet), told, overSocket: overSocket(fleet) }
}

/** The same by the socket, where its user is. */
function overSocket(fleet: MemoryApi) {
  const app = createApp(fleet, unixEndpoint(TOKEN), { now: () => fleet.now })
  return async (method: string, path: string, body?: object, outgoing?: EventEmitter) => {
    const text = body && JSON.stringify(body)
    const change = text && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      'x-vigil': '1',
    }
    const headers = { host: 'vigil', authorization: `Bearer ${TOKEN}`, ...(change || {}) }
    const response = await inProcess(app, path, { method, headers, body: text }, outgoing)
    return { status: response.status, json: JSON.parse(await response.text()) }
  }
}

const ANSWER = '/v1/requests/hook.77%403/answer'
const ALLOW = { choice: 'allow', where: 'cli' }
const shownIn = (fleet: MemoryApi) => ({
  shown: fleet.requests.find('hook.77@3')?.digest ?? 'over',
})

describe('requests over the API', () => {
  it('[AN7] are listed with everything needed to decide', async () => {
    const { get } = await scene()
    const { json } = await get('/v1/requests')
    expect(json.requests).toEqual([
      {
        id: 'hook.77@3',
        digest,
        session: 'one',
        kind: 'permission',
        tool: 'Bash',
        actor: null,
        at: T + 3,
        input: { command: 'npm test' },
        layout: { parts: [{ role: 'command', field: 'command' }], explains: ['description'] },
        cut: false,
        questions: [],
        plan: null,
        suggestions: [],
        answerable: true,
        why: null,
      },
    ])
    expect((await get('/v1/requests?session=two')).json.requests).toEqual([])
    const one = await get('/v1/requests/hook.77%403')
    expect(one.json.request).toEqual(json.requests[0])
    expect((await get('/v1/requests/other')).status).toBe(404)
    expect((await get('/v1/sessions/one')).json.asks).toEqual(['hook.77@3'])
  })

  it('[AN9] are answered by the socket, and not by the token over a port', async () => {
    const { post, overSocket: ask, told, fleet } = await scene()
    const refused = await post(ANSWER, ALLOW)
    expect(refused.status).toBe(403)
    expect(fleet.requests.asksOf('one')).toEqual(['hook.77@3'])
    const allow = { ...ALLOW, ...shownIn(fleet) }
    expect(await ask('POST', ANSWER, allow)).toEqual({ status: 200, json: { done: true } })
    expect(told()).toMatchObject({ act: 'decide' })
    const { json } = await ask('GET', '/v1/acts?session=one&limit=5')
    expect(json.acts).toMatchObject([
      { what: 'answer', where: 'cli', words: 'allowed Bash', who: 'the user, over the socket' },
    ])
  })

  it('[AN14] are answered once', async () => {
    const { overSocket: ask, fleet } = await scene()
    const allow = { ...ALLOW, ...shownIn(fleet) }
    const both = await Promise.all([ask('POST', ANSWER, allow), ask('POST', ANSWER, allow)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const late = await ask('POST', ANSWER, ALLOW)
    expect(late.json.error).toBe('the request is over: answered by a command 0 s ago')
    expect((await ask('POST', '/v1/requests/other/answer', ALLOW)).status).toBe(404)
  })

  it('[SH5] are allowed by the digest of what was shown, and by no other', async () => {
    const { overSocket: ask, fleet } = await scene()
    const { shown } = shownIn(fleet)
    for (const wrong of [{}, { shown: '' }, { shown: shown.replace(/^./, 'x') }]) {
      const { status, json } = await ask('POST', ANSWER, { ...ALLOW, ...wrong })
      expect([status, json.error]).toEqual([
        409,
        expect.stringContaining('the request has changed'),
      ])
    }
    expect(fleet.acts.list({ limit: 9 })).toEqual([])
    expect(fleet.requests.asksOf('one')).toHaveLength(1)
    expect((await ask('POST', ANSWER, { ...ALLOW, shown })).status).toBe(200)
    expect(fleet.acts.list({ limit: 9 })).toMatchObject([{ words: 'allowed Bash' }])
    const [noted] = fleet.acts.audit({ limit: 9 })
    expect(JSON.parse(noted?.shown ?? '')).toMatchObject({ request: shown, tool: 'Bash' })
  })

  it('[SH5] are denied by any caller that may answer, whatever was shown', async () => {
    const { overSocket: ask } = await scene()
    expect((await ask('POST', ANSWER, { choice: 'deny', where: 'cli' })).status).toBe(200)
  })

  it.each([
    ['no choice', {}, 'body.choice'],
    ['no place', { choice: 'allow' }, 'body.where'],
    ['another place', { ...ALLOW, where: 'moon' }, 'body.where'],
    ['a suggestion that is none', { ...ALLOW, suggestion: 4 }, 'suggestion'],
    ['a word with allow', { ...ALLOW, word: 'x' }, 'word'],
    ['a word without end', { ...ALLOW, choice: 'deny', word: 'x'.repeat(4_001) }, 'body.word'],
    ['answers to nothing', { ...ALLOW, choice: 'answer', answers: {} }, 'choice'],
    ['something more', { ...ALLOW, who: 'me' }, 'body.who'],
  ])('[AN8] %s is 400, and answers nothing', async (_, body, field) => {
    const { overSocket: ask, fleet } = await scene()
    expect(await ask('POST', ANSWER, body)).toMatchObject({ status: 400, json: { field } })
    expect(fleet.requests.asksOf('one')).toHaveLength(1)
    expect(fleet.acts.list({ limit: 9 })).toEqual([])
  })

  it('[AN20] a log that does not take it is 503, and nothing is answered', async () => {
    const { overSocket: ask, fleet } = await scene()
    fleet.asking.table.failure = new StoreError('full', 'disk full')
    expect((await ask('POST', ANSWER, { ...ALLOW, ...shownIn(fleet) })).status).toBe(503)
    expect(fleet.requests.asksOf('one')).toHaveLength(1)
  })

  it('[AN10] are fetched by hooks over the socket, and not over a port', async () => {
    const { post, overSocket: ask, fleet } = await scene()
    const [path, report] = ['/v1/requests/outcome', { report: 'hook.77', digest }]
    expect((await post(path, report)).status).toBe(403)
    expect((await ask('POST', path, report)).json).toEqual({ act: 'again' })
    fleet.requests.answer('hook.77@3', { choice: 'deny', where: 'live' }, 'ada')
    expect((await ask('POST', path, report)).json).toMatchObject({
      act: 'decide',
      output: { hookSpecificOutput: { decision: { behavior: 'deny' } } },
    })
    expect((await ask('POST', path, { report: '../x', digest })).status).toBe(400)
  })
})

describe('a reader of the stream', () => {
  it('[AN30] gets what is asked with the rows, first and with each change', async () => {
    const { fleet } = await scene()
    const reader = new Subscribers().open(new RowEvents(fleet.list))
    const asks: unknown[] = []
    const read = async () => {
      const text = (await reader?.next()) ?? ''
      for (const [, data] of text.matchAll(/^data: (.*)$/gm)) {
        const event = JSON.parse(data ?? '') as StreamEvent
        if (event.kind === 'snapshot') asks.push(...event.sessions.map((one) => one.asks))
        if (event.kind === 'session') asks.push(event.session.asks)
      }
    }
    await read()
    await read()
    expect(asks).toEqual([['hook.77@3']])
    fleet.requests.answer('hook.77@3', { choice: 'allow', where: 'page', ...shownIn(fleet) }, 'ada')
    while (asks.length < 2) await read()
    expect(asks.at(-1)).toEqual([])
    reader?.end()
  })
})
