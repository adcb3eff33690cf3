import { request } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FAKE_KEY } from '../../lab/model/key.ts'
import {
  drop,
  fail,
  hold,
  pause,
  type Script,
  say,
  script,
  stop,
  think,
  tool,
  uses,
} from '../../lab/model/script.ts'
import { type Model, startModel } from '../../lab/model/server.ts'
import { until } from '../../lab/until.ts'

const TOOLS = [{ name: 'Bash' }]
const user = (content: unknown) => ({ role: 'user', content })
const assistant = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] })

describe('the scripted model', () => {
  it('streams text and a tool as the API does', async () => {
    const model = await modelOf(
      script('s').on('touch', say('I will.'), tool('Bash', { command: 'touch x' })),
    )
    const events = await streamOf(model, [user('please touch it')])
    expect(events.map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    expect(textOf(events)).toBe('I will.')
    expect(JSON.parse(inputOf(events))).toEqual({ command: 'touch x' })
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } })
    expect(model.requests).toMatchObject([{ prompt: 'please touch it', outcome: 'answered' }])
  })

  it('goes on after a tool, and answers one request alike however often it comes', async () => {
    const model = await modelOf(script('s').on('go', say('First.')).next(say('Second.')))
    const later = [user('go'), assistant('First.'), user([{ type: 'tool_result' }])]
    expect(textOf(await streamOf(model, later))).toBe('Second.')
    expect(textOf(await streamOf(model, [user('go')]))).toBe('First.')
    expect(textOf(await streamOf(model, later))).toBe('Second.')
  })

  it('answers the last prompt it knows, none that the client wrote itself', async () => {
    const model = await modelOf(script('s').on('one', say('1')).on('two', say('2')).next(say('3')))
    const blocks = ['one', '[Request interrupted by user]', 'two', '<task-notification>one</…']
    const merged = user(blocks.map((text) => ({ type: 'text', text })))
    expect(textOf(await streamOf(model, [merged]))).toBe('2')
    const reminded = user('<system-reminder>\nsay one\n</system-reminder>two')
    expect(textOf(await streamOf(model, [reminded, assistant('2'), user('hm')]))).toBe('3')
  })

  it('takes a command behind ! for a prompt', async () => {
    const model = await modelOf(script('s').on('ls', say('Files.')).on('one', say('1')))
    const typed = user([
      { type: 'text', text: '<bash-input>ls</bash-input>' },
      { type: 'text', text: '<bash-stdout>one</bash-stdout><bash-stderr></bash-stderr>' },
    ])
    expect(textOf(await streamOf(model, [typed]))).toBe('Files.')
  })

  it('says so when the script has no answer, and never loops', async () => {
    const model = await modelOf(script('short').on('go', tool('Bash', {})))
    const after = [user('go'), assistant('…'), user([{ type: 'tool_result' }])]
    expect(textOf(await streamOf(model, after))).toBe('Script short has no reply 2 to "go".')
    expect(model.requests.at(-1)).toMatchObject({ scripted: false })
  })

  it.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [529, 'overloaded_error'],
  ] as const)('fails with %d, and the retry meets what is next', async (status, type) => {
    const failing = fail(status, { 'retry-after': '1' })
    const model = await modelOf(script('s').on('go', failing).next(failing).next(say('Back.')))
    for (const _ of ['first', 'second']) {
      const refused = await ask(model, { messages: [user('go')] })
      expect(refused.status).toBe(status)
      expect(refused.headers.get('retry-after')).toBe('1')
      expect(await refused.json()).toMatchObject({ type: 'error', error: { type } })
    }
    expect(textOf(await streamOf(model, [user('go')]))).toBe('Back.')
  })

  it('fails in the middle of a stream with an error event', async () => {
    const model = await modelOf(script('s').on('go', say('Half'), fail(529)))
    const events = await streamOf(model, [user('go')])
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } })
  })

  it('fails in words of its own', async () => {
    const model = await modelOf(script('s').on('go', fail(400, {}, 'prompt is too long')))
    const refused = await ask(model, { messages: [user('go')] })
    expect(await refused.json()).toMatchObject({ error: { message: 'prompt is too long' } })
  })

  it('thinks before it speaks, says what a request held and why it ends', async () => {
    const reply = [uses(190_000), think('Hm hm.'), say('Half'), stop('max_tokens')]
    const model = await modelOf(script('s').on('go', ...reply))
    const events = await streamOf(model, [user('go')])
    expect(events[0]).toMatchObject({ message: { usage: { input_tokens: 190_000 } } })
    expect(events[1]).toMatchObject({ content_block: { type: 'thinking', thinking: '' } })
    expect(events[2]).toMatchObject({ delta: { type: 'thinking_delta', thinking: 'Hm ' } })
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'max_tokens' },
      usage: { input_tokens: 190_000 },
    })
    const whole = await ask(model, { messages: [user('go')], stream: false })
    expect(await whole.json()).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'Hm hm.' },
        { type: 'text', text: 'Half' },
      ],
      stop_reason: 'max_tokens',
      usage: { input_tokens: 190_000 },
    })
  })

  it('drops the connection before the first byte and in the middle', async () => {
    const model = await modelOf(script('s').on('at once', drop()).on('midway', say('Half'), drop()))
    await expect(ask(model, { messages: [user('at once')] })).rejects.toThrow()
    const begun = await ask(model, { messages: [user('midway')] })
    expect(begun.status).toBe(200)
    await expect(begun.text()).rejects.toThrow()
    expect(model.requests.map(({ outcome }) => outcome)).toEqual(['dropped', 'dropped'])
  })

  it('keeps the first byte back, and spreads text over time', async () => {
    const model = await modelOf(script('s').on('slow', pause(150), say('a b c d', { overMs: 200 })))
    const begun = performance.now()
    const response = await ask(model, { messages: [user('slow')] })
    // A timer may fire a millisecond early.
    expect(performance.now() - begun).toBeGreaterThanOrEqual(149)
    await response.text()
    expect(performance.now() - begun).toBeGreaterThanOrEqual(340)
  })

  it('holds an answer until it is released', async () => {
    const model = await modelOf(script('s').on('go', say('One'), hold('more'), say(' two')))
    const answer = streamOf(model, [user('go')])
    await until('the request', () => model.requests.length === 1)
    expect(await Promise.race([answer, Promise.resolve('held')])).toBe('held')
    expect(model.requests[0]?.outcome).toBeUndefined()
    model.release('more')
    expect(textOf(await answer)).toBe('One two')
  })

  it('knows that the client hung up', async () => {
    const model = await modelOf(script('s').on('go', say('One'), hold()))
    const hangUp = new AbortController()
    await ask(model, { messages: [user('go')] }, { signal: hangUp.signal })
    hangUp.abort()
    await until('the end', () => model.requests[0]?.outcome === 'left')
  })

  it('answers side calls with a short text, in one body when not asked to stream', async () => {
    const model = await modelOf(script('s').on('go', tool('Bash', {})))
    const response = await ask(model, { messages: [user('go')], tools: [], stream: false })
    expect(await response.json()).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('title') }],
      stop_reason: 'end_turn',
    })
    const whole = await ask(model, { messages: [user('go')], stream: false })
    expect(await whole.json()).toMatchObject({
      content: [{ type: 'tool_use', name: 'Bash' }],
      stop_reason: 'tool_use',
    })
    expect(model.requests.map(({ side }) => side)).toEqual([true, false])
  })

  it('refuses every key but the fake one, and what is no request', async () => {
    const model = await modelOf(script('s').on('go', say('Yes.')))
    for (const headers of [{ 'x-api-key': 'sk-ant-other' }, { authorization: 'Bearer other' }])
      expect((await ask(model, { messages: [user('go')] }, { headers })).status).toBe(401)
    const token = { 'x-api-key': FAKE_KEY, authorization: `Bearer ${FAKE_KEY}` }
    expect((await ask(model, { messages: [user('go')] }, { headers: token })).status).toBe(200)
    expect((await ask(model, { messages: 7 })).status).toBe(400)
  })

  it('has plausible answers to what clients ask besides', async () => {
    const model = await modelOf(script('s'))
    expect(await statusOf(model, 'HEAD', '/')).toBe(200)
    expect(await statusOf(model, 'POST', '/v1/messages/count_tokens')).toBe(200)
    expect(await statusOf(model, 'GET', '/v1/models')).toBe(200)
    expect(await statusOf(model, 'GET', '/api/hello')).toBe(404)
  })

  it('stops in the middle of an answer, and its port is free', async () => {
    const model = await startModel(script('s').on('go', say('One'), hold()))
    const response = await ask(model, { messages: [user('go')] })
    await model.stop()
    await expect(response.text()).rejects.toThrow()
    await expect(fetch(model.url)).rejects.toThrow()
  })
})

it('a script is played in order', () => {
  expect(() => script('s').next(say('?'))).toThrow('script s: next() needs an on() before it')
})

async function modelOf(told: Script): Promise<Model> {
  const model = await startModel(told)
  onTestFinished(() => model.stop())
  return model
}

function ask(model: Model, body: object, init: RequestInit = {}): Promise<Response> {
  return fetch(`${model.url}/v1/messages?beta=true`, {
    method: 'POST',
    body: JSON.stringify({ model: 'scripted', stream: true, tools: TOOLS, ...body }),
    ...init,
    headers: { 'x-api-key': FAKE_KEY, ...init.headers },
  })
}

interface StreamEvent {
  readonly type: string
  readonly delta?: { text?: string; partial_json?: string }
}

async function streamOf(model: Model, messages: object[]): Promise<StreamEvent[]> {
  const text = await (await ask(model, { messages })).text()
  return text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)))
}

function textOf(events: StreamEvent[]): string {
  return events.map(({ delta }) => delta?.text ?? '').join('')
}

function inputOf(events: StreamEvent[]): string {
  return events.map(({ delta }) => delta?.partial_json ?? '').join('')
}

function statusOf(model: Model, method: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(model.url + path, { method }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject).end()
  })
}
