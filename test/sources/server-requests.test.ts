import { expect, it } from 'vitest'
import { agentOf } from '../../src/agents/index.ts'
import type { ServerRequest } from '../../src/agents/servers.ts'
import { ServerSource } from '../../src/sources/servers/servers.ts'
import { FakeServer } from './fake-server.ts'
import { after, Collector, until } from './support.ts'

const THREAD = '01a1e50d-2134-79e1-b4d4-62d26b7368de'
const WAITING = { type: 'active', activeFlags: ['waitingOnApproval'] }
const ASKS = {
  method: 'item/commandExecution/requestApproval',
  id: 3,
  params: { threadId: THREAD, turnId: 'u', itemId: 'i', startedAtMs: 5, command: 'ls', cwd: '/p' },
}
const RESOLVED = {
  method: 'serverRequest/resolved',
  params: { threadId: THREAD, requestId: 3 },
}

/** A server that holds one waiting thread, and a source that listens to it. */
async function listening({ actMs = 20_000 } = {}) {
  const fake = await FakeServer.start()
  fake.onMessage = ({ id, method }) => {
    if (method === 'initialize') fake.send({ id, result: {} })
    if (method === 'thread/loaded/list') fake.send({ id, result: { data: [THREAD] } })
    if (method === 'thread/read')
      fake.send({ id, result: { thread: { id: THREAD, cwd: '/p', status: WAITING } } })
    if (method === 'thread/resume') {
      fake.send({ id, result: { thread: { id: THREAD } } })
      fake.send(ASKS)
    }
  }
  const { sink, complain, complaints, arrivals } = new Collector()
  const asked: ServerRequest[] = []
  const over: string[] = []
  const { talk } = agentOf('codex')?.server ?? {}
  if (!talk) throw new Error('no server')
  const source = new ServerSource({
    agent: { id: 'codex', server: { socketOf: () => fake.path, talk } },
    ...{ sink, complain, isAnyRunning: () => true, now: () => 1_000, actMs },
    requests: {
      asked: (request) => asked.push(request),
      over: (id, how) => over.push(`${id} ${how}`),
    },
  })
  after(() => source.stop())
  source.add('/home')
  source.start()
  await until('the request', () => asked.length > 0)
  const id = asked[0]?.id ?? ''
  const output = { decision: 'accept' }
  const answer = () => source.act({ kind: 'answer', request: id, output, at: 1_000 })
  return { fake, source, asked, over, id, answer, complaints, arrivals }
}

it('[CX40] an open request is fetched from a server that was there before', async () => {
  const { asked, source, fake } = await listening()
  expect(asked).toMatchObject([{ at: 5, asked: { session: THREAD, input: { command: 'ls' } } }])
  expect(source.holds(THREAD)).toBe(true)
  expect(source.holds('another')).toBe(false)
  expect(fake.got.filter((message) => 'result' in message)).toEqual([])
})

it('[CX42] an answer is done when the server says that the request is over', async () => {
  const { fake, answer, over, id } = await listening()
  const done = answer()
  await until('the answer', () => fake.got.some((message) => 'result' in message))
  expect(fake.got.at(-1)).toEqual({ id: 3, result: { decision: 'accept' } })
  fake.send({ ...RESOLVED, emittedAtMs: 1_001 })
  expect(await done).toBeUndefined()
  expect(over).toEqual([`${id} answered in its terminal`])
  expect(answer()).toBeUndefined()
})

it('[CX42] a server that does not answer is reported', async () => {
  const { answer } = await listening({ actMs: 20 })
  expect(await answer()).toBe('its server did not answer')
})

it('[CX42] when the connection is lost, nothing of it can be answered any more', async () => {
  const { fake, answer, over, id, source, asked } = await listening()
  const done = answer()
  fake.hangUp()
  expect(await done).toBe('the connection to its server ended')
  expect(over).toEqual([`${id} its server is gone`])
  expect(source.holds(THREAD)).toBe(false)
  await until('the request again', () => asked.length > 1)
  expect(asked[1]?.id).toBe(id)
})

it('[CX40] messages of any content disturb neither the connection nor its requests', async () => {
  const { fake, answer, complaints } = await listening()
  for (const message of ['nonsense', '[]', '7', 'null', '{"method":7,"id":{}}', '{"id":999}'])
    fake.send(message)
  fake.send({ method: ASKS.method, id: 'x', params: { threadId: THREAD } })
  fake.send({ method: 'serverRequest/resolved', params: { threadId: THREAD, requestId: 99 } })
  const done = answer()
  fake.send(RESOLVED)
  expect(await done).toBeUndefined()
  expect(complaints.map(({ about }) => about.why)).toContain('it sent no JSON')
  expect(fake.connections).toBe(1)
})

it('[CX45] an act on a session that no server holds is left to others', async () => {
  const { source } = await listening()
  expect(source.act({ kind: 'interrupt', session: 'another' })).toBeUndefined()
})

it('[S33] a server that was lost is found again, however short the connection was', async () => {
  const { fake, asked } = await listening()
  // The timer that looks for servers ends once all are connected.
  await new Promise((resolve) => setTimeout(resolve, 300))
  fake.hangUp()
  await until('another connection', () => fake.connections === 2)
  await until('the request again', () => asked.length === 2)
})
