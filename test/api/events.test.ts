import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changeEvent } from '../../src/protocol/session.ts'
import { bytesOf } from './request.ts'
import { type Rig, send, startRig, TRANSPORTS, type Transport, until } from './support.ts'

let rig: Rig
beforeEach(async () => {
  rig = await startRig({ events: { heartbeatMs: 200, stallMs: 2_000, subscribersMax: 4 } })
})
afterEach(() => rig.close())

describe.each(TRANSPORTS)('over %s', (transport) => {
  it('[P4] every change comes once and in order, from the present on', async () => {
    const reader = await subscribe(transport)
    const from = rig.fleet.feed.lastId()
    happen(200)
    await until('all came', () => reader.ids().length === 200)
    expect(reader.ids()).toEqual(Array.from({ length: 200 }, (_, at) => from + 1 + at))
    expect(reader.text()).toMatch(new RegExp(`^id: ${from}\\n\\n`))
    for (const data of reader.data()) expect(changeEvent.safeParse(data).error).toBe(undefined)
    reader.close()
  })

  it('[P4] a reader that resumes loses nothing and gets nothing twice', async () => {
    const { feed } = rig.fleet
    const from = feed.lastId()
    const seen: number[] = []
    let last = from
    for (let turn = 0; turn < 20; turn += 1) {
      const reader = await subscribe(transport, { 'last-event-id': String(last) })
      happen(10)
      const wanted = 1 + ((turn * 7) % 12)
      await until('some came', () => reader.ids().length >= Math.min(wanted, feed.lastId() - last))
      const got = reader.ids()
      reader.close()
      seen.push(...got)
      last = got.at(-1) ?? last
      happen(3)
    }
    const rest = await subscribe(transport, {}, `?after=${last}`)
    await until('the rest came', () => rest.ids().at(-1) === feed.lastId())
    seen.push(...rest.ids())
    rest.close()
    expect(seen).toEqual(Array.from({ length: 260 }, (_, at) => from + 1 + at))
  })
})

describe('resuming', () => {
  it('[P4] the header counts more than the address it began with', async () => {
    const last = rig.fleet.feed.lastId()
    const reader = await subscribe('unix', { 'last-event-id': String(last - 1) }, '?after=2')
    await until('it came', () => reader.ids().length > 0)
    expect(reader.ids()).toEqual([last])
    reader.close()
  })

  it.each([
    ['older than the log', () => 3],
    ['from the future', () => rig.fleet.feed.lastId() + 1],
  ])('[P5] an id %s resets the reader, which then reads on', async (_name, id) => {
    rig.fleet.feed.forget(10)
    const last = rig.fleet.feed.lastId()
    const reader = await subscribe('unix', { 'last-event-id': String(id()) })
    await until('the reset came', () => reader.ids().length === 1)
    expect(reader.data()).toEqual([{ kind: 'reset', id: last }])
    expect(reader.text()).toMatch(new RegExp(`^id: ${last}\\nevent: reset\\n`))
    happen(2)
    await until('changes came', () => reader.ids().length === 3)
    expect(reader.ids()).toEqual([last, last + 1, last + 2])
    reader.close()
  })

  it('[P5] the oldest id that the log can go on from is no reset', async () => {
    rig.fleet.feed.forget(10)
    const reader = await subscribe('unix', { 'last-event-id': '10' })
    await until('changes came', () => reader.ids().length > 0)
    expect(reader.data()[0]).toMatchObject({ kind: 'verdict', id: 11 })
    reader.close()
  })

  it('[P10] an id that is none is 400', async () => {
    const headers = { 'last-event-id': 'x' }
    const bytes = bytesOf(rig, 'unix', { target: '/v1/events', headers })
    const { status, body } = await send(rig.dial('unix'), [bytes])
    expect(status).toBe(400)
    expect(JSON.parse(body).field).toBe('Last-Event-ID')
  })

  it('[P4] an id that is no longer used is reported, an old change of it is not', async () => {
    const reader = await subscribe('unix')
    const [change] = rig.fleet.feed.changes
    if (change?.kind !== 'verdict') throw new Error('expected a verdict')
    const past = { kind: 'past' as const, t: 1, session: 'old', verdict: change.verdict }
    for (let times = 0; times < 100; times += 1) rig.fleet.feed.add(past)
    rig.fleet.feed.add({ kind: 'gone', t: 1, session: 'process:7', became: 's\r\n\r\nevent: x' })
    rig.fleet.feed.add({ kind: 'gone', t: 2, session: 'process:8', became: undefined })
    await until('both came', () => reader.ids().length === 2)
    expect(reader.data()).toMatchObject([
      { kind: 'gone', session: 'process:7', became: 's\r\n\r\nevent: x' },
      { kind: 'gone', session: 'process:8', became: null },
    ])
    expect(reader.text().match(/^event: /gm)).toHaveLength(2)
    reader.close()
  })
})

describe('readers', () => {
  it('[P6] are at most as many as there is room for', async () => {
    const readers = await Promise.all(
      (['unix', 'tcp'] as const).flatMap((way) => [subscribe(way), subscribe(way)]),
    )
    const bytes = bytesOf(rig, 'tcp', { target: '/v1/events' })
    const { status } = await send(rig.dial('tcp'), [bytes])
    expect(status).toBe(503)
    expect(rig.gate.refused().subscribers).toBe(1)
    for (const reader of readers) reader.close()
    await until('all are gone', () => rig.subscribers.count === 0)
    expect(rig.fleet.feed.listeners.size).toBe(0)
    const another = await subscribe('tcp')
    another.close()
  })

  it('[P4] get a sign of life while nothing happens', async () => {
    const reader = await subscribe('unix')
    await until('two heartbeats', () => (reader.text().match(/^:$/gm) ?? []).length >= 2)
    expect(reader.ids()).toEqual([])
    expect(rig.subscribers.count).toBe(1)
    reader.close()
  })

  it.each(TRANSPORTS)('[P6] one that stops reading over %s is dropped', async (transport) => {
    const { feed } = rig.fleet
    const quick = await subscribe(transport)
    const stopped = rig.dial(transport)
    stopped.on('error', () => {})
    stopped.write(bytesOf(rig, transport, { target: '/v1/events' }))
    await until('both read', () => rig.subscribers.count === 2)
    stopped.pause()
    const from = feed.lastId()
    const taken = feed.taken
    for (let turn = 0; turn < 40; turn += 1) {
      happen(100, 8_000)
      await sleep(1)
    }
    await until('the quick one has all', () => quick.ids().at(-1) === from + 4_000, 30_000)
    await until('the stopped one is dropped', () => rig.subscribers.count === 1)
    expect(rig.subscribers.dropped).toBe(1)
    expect(quick.ids()).toHaveLength(4_000)
    // Of 32 MB it was given what the system's own buffers hold, and nothing was kept for it.
    expect(feed.taken - taken - 4_000).toBeLessThan(2_500)
    quick.close()
    stopped.destroy()
  })

  it('[P6] one that reads slowly stays and gets everything', async () => {
    const socket = rig.dial('unix')
    socket.write(bytesOf(rig, 'unix', { target: '/v1/events' }))
    await until('it reads', () => rig.subscribers.count === 1)
    const from = rig.fleet.feed.lastId()
    happen(300, 4_000)
    let text = ''
    socket.pause()
    while (!text.includes(`id: ${from + 300}\n`)) {
      text += socket.read()?.toString('latin1') ?? ''
      await sleep(20)
    }
    const ids = [...text.matchAll(/^id: (\d+)\nevent/gm)].map(([, id]) => Number(id))
    expect(ids).toEqual(Array.from({ length: 300 }, (_, at) => from + 1 + at))
    expect(rig.subscribers.dropped).toBe(0)
    socket.destroy()
  })

  it('[P14] get an end event when the daemon closes', async () => {
    const readers = await Promise.all(TRANSPORTS.map((way) => subscribe(way)))
    await rig.pause()
    await until('both ended', () => readers.every((reader) => reader.ended()))
    expect(rig.subscribers.count).toBe(0)
    await rig.resume()
  })
})

function happen(times: number, size = 0): void {
  const change = rig.fleet.feed.changes.find(({ kind }) => kind === 'verdict')
  if (change?.kind !== 'verdict') throw new Error('expected a verdict')
  const verdict = { ...change.verdict, reason: 'x'.repeat(size) }
  for (let at = 0; at < times; at += 1)
    rig.fleet.feed.add({ kind: 'verdict', t: at, session: 's', verdict })
}

async function subscribe(transport: Transport, headers = {}, query = '') {
  let text = ''
  let rest = ''
  let ended = false
  const blocks: string[] = []
  const ways = {
    unix: { socketPath: rig.folders.socket },
    page: { socketPath: rig.folders.pageSocket },
    tcp: { host: '127.0.0.1', port: rig.port },
  }
  const sent = request({
    ...ways[transport],
    path: `/v1/events${query}`,
    agent: false,
    headers: { host: rig.host(transport), authorization: `Bearer ${rig.token}`, ...headers },
  })
  sent.on('error', () => {})
  sent.on('response', (response) => {
    response.setEncoding('utf8')
    response.on('data', (chunk) => {
      text += chunk
      const parts = (rest + chunk).split('\n\n')
      rest = parts.pop() ?? ''
      blocks.push(...parts.filter((part) => part.includes('\nevent: ')))
    })
    response.on('end', () => {
      ended = true
    })
    response.on('error', () => {})
  })
  sent.end()
  await until('the stream began', () => text !== '')
  return {
    text: () => text,
    ended: () => ended,
    ids: () => blocks.map((block) => Number(/^id: (\d+)/.exec(block)?.[1])),
    data: () => blocks.map((block) => JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '')),
    close: () => sent.destroy(),
  }
}
