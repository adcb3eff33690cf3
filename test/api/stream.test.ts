import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../src/client/client.ts'
import { RowEvents } from '../../src/daemon/api/row-events.ts'
import { type StreamEvent, streamEvent } from '../../src/protocol/stream.ts'
import { MemoryApi } from './memory-fleet.ts'
import { bytesOf } from './request.ts'
import { type Rig, startRig, until } from './support.ts'

let fleet: MemoryApi
let t = 0
beforeEach(() => {
  fleet = new MemoryApi()
  t = 1_000
})

function hook(session: string, event: string, more: object = {}) {
  t += 1
  const payload = { session_id: session, hook_event_name: event, cwd: '/p', ...more }
  return { t, source: 'hook' as const, env: {}, payload }
}

const start = (id: string) => fleet.play([hook(id, 'SessionStart', { source: 'startup' })])
/** Its row has changed, and none came a moment ago. */
async function prompt(id: string): Promise<void> {
  await sleep(110)
  fleet.play([hook(id, 'UserPromptSubmit', { prompt: 'x' })])
}

function read(events: RowEvents): readonly (StreamEvent & { position: string | undefined })[] {
  let text = ''
  for (let part = events.next(); part !== ''; part = events.next()) text += part
  return text.split('\n\n').flatMap((block) => {
    const data = /^data: (.*)$/m.exec(block)?.[1]
    if (data === undefined) return []
    expect(streamEvent.safeParse(JSON.parse(data)).error).toBe(undefined)
    return { ...JSON.parse(data), position: /^id: (.*)$/m.exec(block)?.[1] }
  })
}

/** `a` for its row, `-a` for one that is gone. */
const said = (events: readonly StreamEvent[]) =>
  events.map((event) => {
    if (event.kind === 'session') return event.session.id
    if (event.kind === 'gone') return `-${event.session}`
    return event.kind === 'snapshot' ? event.sessions.map(({ id }) => id).join() : event.kind
  })

function follow(position?: string): RowEvents {
  const events = new RowEvents(fleet.list, position)
  events.onNews(() => {})
  return events
}

describe('the stream', () => {
  it('[P16] begins with all sessions and the machine, and goes on with rows', async () => {
    start('a')
    start('b')
    const events = follow()
    const first = read(events)
    expect(said(first)).toEqual(['a,b', 'machine'])
    expect(read(events)).toEqual([])
    expect(events.hasNext()).toBe(false)
    await prompt('b')
    expect(events.hasNext()).toBe(true)
    expect(read(events)).toMatchObject([{ kind: 'session', session: { state: 'working' } }])
  })

  it('[P16] gives many sessions in pages, and no position before the last', () => {
    for (let at = 0; at < 120; at += 1) start(`s${at}`)
    const pages = read(follow()).filter((event) => event.kind === 'snapshot')
    expect(pages.map(({ sessions }) => sessions.length)).toEqual([50, 50, 20])
    expect(pages.map(({ more }) => more)).toEqual([true, true, false])
    expect(pages.map(({ position }) => typeof position)).toEqual([
      'undefined',
      'undefined',
      'string',
    ])
  })

  it('[P16] tells of the machine when its troubles change', () => {
    const events = follow()
    read(events)
    fleet.troubles = ['log: cannot be written']
    for (const listener of fleet.machineListeners) listener()
    expect(read(events)).toMatchObject([
      { kind: 'machine', machine: { troubles: ['log: cannot be written'] } },
    ])
  })

  it('[P17] goes on after a position with the newest row of each that changed', async () => {
    start('a')
    start('b')
    start('process:7')
    const position = read(follow()).at(-1)?.position
    await prompt('b')
    await prompt('b')
    fleet.forget('process:7')
    const missed = read(follow(position))
    expect(said(missed)).toEqual(['b', '-process:7', 'machine'])
    expect(said(read(follow(missed.at(-1)?.position)))).toEqual(['machine'])
  })

  it.each(['', 'x', 'another-run.3', '99'])('[P17] gives a snapshot after %j', (position) => {
    start('a')
    expect(said(read(follow(position)))).toEqual(['a', 'machine'])
  })

  it('[P17] no row that was not sent lies before a position that was', async () => {
    for (const id of ['a', 'b', 'c']) start(id)
    const events = follow()
    read(events)
    await sleep(110)
    for (const id of ['a', 'b', 'c']) fleet.play([hook(id, 'UserPromptSubmit', { prompt: 'x' })])
    const seen = read(events)
    for (const [at, { position }] of seen.entries()) {
      const rest = said(read(follow(position)))
      expect(rest).toEqual([...said(seen.slice(at + 1)), 'machine'])
    }
  })

  it('[P19] has one row for a slow reader, the newest, in the order of changes', async () => {
    for (const id of ['a', 'b']) start(id)
    const events = follow()
    read(events)
    await prompt('a')
    await prompt('b')
    for (let times = 0; times < 3; times += 1) await prompt('a')
    fleet.play([hook('a', 'Stop')])
    const rows = read(events)
    expect(said(rows)).toEqual(['a', 'b'])
    expect(rows[0]).toMatchObject({ session: { state: 'idle' } })
  })
})

describe('over the socket', () => {
  let rig: Rig
  beforeEach(async () => {
    rig = await startRig({ events: { heartbeatMs: 100, stallMs: 300, subscribersMax: 4 } })
    fleet = rig.fleet
    t = fleet.now
  })
  afterEach(() => rig.close())

  it('[P13][P17] the client goes on where it was when it is connected again', async () => {
    await sleep(150)
    const stop = new AbortController()
    const seen: StreamEvent[] = []
    const connections: boolean[] = []
    const onConnection = (connected: boolean) => void connections.push(connected)
    const done = (async () => {
      const options = { signal: stop.signal, onConnection, backoffMaxMs: 50 }
      for await (const events of connect(rig.folders).stream(options)) seen.push(...events)
    })()
    await until('the machine came', () => seen.at(-1)?.kind === 'machine')
    expect(seen[0]?.kind).toBe('snapshot')
    await rig.pause()
    const before = seen.length
    start('fresh')
    await rig.resume()
    await until('it goes on', () => seen.length >= before + 2)
    expect(said(seen.slice(before))).toEqual(['fresh', 'machine'])
    expect(connections).toEqual(expect.arrayContaining([true, false, true]))
    stop.abort()
    await done
  })

  it('[P19] one that stops reading while rows wait is dropped', async () => {
    const stopped = rig.dial('unix')
    stopped.on('error', () => {})
    stopped.write(bytesOf(rig, 'unix', { target: '/v1/stream' }))
    await until('it reads', () => rig.subscribers.count === 1)
    stopped.pause()
    const over = Date.now() + 20_000
    while (rig.subscribers.count > 0 && Date.now() < over) {
      for (let at = 0; at < 40; at += 1)
        fleet.play([hook(`s${at}`, 'UserPromptSubmit', { prompt: 'x'.repeat(100) })])
      await sleep(20)
    }
    expect(rig.subscribers.dropped).toBe(1)
    stopped.destroy()
  })
})
