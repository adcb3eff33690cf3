import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../src/client/client.ts'
import { BadRequest, DaemonFailed, DaemonGone, Refused } from '../../src/client/errors.ts'
import type { ChangeEvent } from '../../src/protocol/session.ts'
import { type Rig, startRig, until } from './support.ts'

let rig: Rig
let client: ReturnType<typeof connect>
beforeEach(async () => {
  rig = await startRig({ events: { heartbeatMs: 100 } })
  client = connect(rig.folders)
})
afterEach(() => rig.close())

describe('asking', () => {
  it('[P13] gives what the fleet gives', async () => {
    const { sessions } = await client.sessions({ all: true })
    expect(sessions).toEqual(rig.fleet.sessions({ all: true }).sessions)
    const id = sessions[0]?.id ?? ''
    expect(await client.session(id)).toEqual(sessions[0])
    expect((await client.explain(id))?.session.id).toBe(id)
    expect(await client.history(id, 1)).toHaveLength(1)
    const page = await client.reports({ session: id, limit: 2 })
    expect(page.reports).toHaveLength(2)
    expect(
      (await client.reports({ after: page.next ?? 0, source: 'hook' })).reports[0]?.id,
    ).toBeGreaterThan(page.next ?? 0)
    expect((await client.health()).version).toBe('0.0.0')
    expect(await client.metrics()).toContain('vigil_reports_total')
  })

  it('[P13] gives nothing for a session that is not known, whatever its name', async () => {
    for (const id of ['nobody', '..', '', '../health', 'a/b?c#d', '🦉', '%2e%2e', '\ud800'])
      expect([await client.session(id), await client.explain(id)]).toEqual([undefined, undefined])
    expect(await client.history('nobody')).toBe(undefined)
  })

  it('[P13] reports, imports and stops', async () => {
    const payload = { hook_event_name: 'SessionStart', session_id: 'own', source: 'startup' }
    const report = { t: rig.fleet.now, source: 'hook' as const, payload }
    expect((await client.post({ report, key: 'a' })).sessions).toEqual(['own'])
    expect((await client.post([{ report }, { report }])).sessions).toHaveLength(2)
    expect((await client.import('rec', [report])).sessions).toEqual(['rec/own'])
    await client.stop('test')
    await until('it is reported', () => rig.fleet.stops.length === 1)
  })
})

describe('errors', () => {
  it('[P13] say that no daemon answers', async () => {
    await rig.pause()
    await expect(client.sessions()).rejects.toThrow(DaemonGone)
    await expect(client.sessions()).rejects.toThrow(/no daemon answers .*Start it/)
    await rig.resume()
    rmSync(rig.folders.token)
    await expect(client.sessions()).rejects.toThrow(DaemonGone)
  })

  it('[P13] say that the token is not the daemon’s, without saying the token', async () => {
    writeFileSync(rig.folders.token, `${'0'.repeat(64)}\n`)
    const error = await client.health().catch((thrown) => thrown)
    expect(error).toBeInstanceOf(Refused)
    expect(error.reason).toBe('token')
    expect(String(error.stack)).not.toMatch(/0{64}/)
  })

  it('[P13] say what is wrong with a request, and what the daemon could not do', async () => {
    const bad = client.post({ report: { source: 'rumour' as 'hook' } })
    await expect(bad).rejects.toThrow(BadRequest)
    await expect(bad).rejects.toMatchObject({ status: 400, field: 'body.report.source' })
    rig.fleet.failure = new Error('disk is full')
    const failed = client.post({ report: { source: 'hook' } })
    await expect(failed).rejects.toThrow(DaemonFailed)
    await expect(failed).rejects.toThrow(/disk is full/)
  })

  it('[K15] restart a daemon that has just left, and ask it once more', async () => {
    await rig.pause()
    let restarts = 0
    const restart = async () => {
      restarts += 1
      await rig.resume()
    }
    expect((await connect(rig.folders, { restart }).health()).version).toBe('0.0.0')
    await rig.pause()
    const vain = connect(rig.folders, { restart: async () => {} })
    await expect(vain.health()).rejects.toThrow(DaemonGone)
    expect(restarts).toBe(1)
    await rig.resume()
  })

  it('[P13] say that a daemon that accepts and never answers is gone', async () => {
    await rig.pause()
    const mute = createServer(() => {})
    await new Promise<void>((resolve) => mute.listen(rig.folders.socket, resolve))
    const hasty = connect(rig.folders, { silenceMaxMs: 50 })
    await expect(hasty.health()).rejects.toThrow(/no answer for 50 ms/)
    await close(mute)
    await rig.resume()
  })
})

describe('events', () => {
  it('[P13] go on over a restart of the daemon, none lost and none twice', async () => {
    const stop = new AbortController()
    const connections: boolean[] = []
    const seen = collect({
      after: rig.fleet.feed.lastId(),
      signal: stop.signal,
      onConnection: (connected) => connections.push(connected),
    })
    const from = rig.fleet.feed.lastId()
    for (let turn = 1; turn <= 3; turn += 1) {
      happen(10)
      await until('they came', () => seen.events.length === turn * 15 - 5)
      const lost = connections.length
      await rig.pause()
      happen(5)
      // Once when it was lost, and twice more without an answer.
      await until('it has tried in vain', () => connections.length >= lost + 3)
      await rig.resume()
      await until('those meanwhile came', () => seen.events.length === turn * 15)
    }
    stop.abort()
    await seen.done
    expect(seen.events.map((event) => 'id' in event && event.id)).toEqual(
      Array.from({ length: 45 }, (_, at) => from + 1 + at),
    )
    expect(connections.filter(Boolean)).toHaveLength(4)
    expect(connections).toContain(false)
  })

  it('[P13] resume where they began even if nothing had happened before', async () => {
    await rig.pause()
    const asked: (string | undefined)[] = []
    const quiet = createServer((request, response) => {
      asked.push(request.headers['last-event-id'] as string | undefined)
      response.end('id: 7\n\n:\n\nid: 8\nevent: gone\ndata: torn')
    })
    await new Promise<void>((resolve) => quiet.listen(rig.folders.socket, resolve))
    const stop = new AbortController()
    const seen = collect({ signal: stop.signal })
    await until('it came back', () => asked.length >= 2)
    stop.abort()
    await seen.done
    expect(asked.slice(0, 2)).toEqual([undefined, '7'])
    expect(seen.events).toEqual([])
    await close(quiet)
    await rig.resume()
  })

  it('[P5][P13] tell that all is to be asked for again', async () => {
    const stop = new AbortController()
    rig.fleet.feed.forget(10)
    const seen = collect({ after: 2, signal: stop.signal })
    await until('the reset came', () => seen.events.length === 1)
    expect(seen.events).toEqual([{ kind: 'reset', id: rig.fleet.feed.lastId() }])
    stop.abort()
    await seen.done
  })

  it('[P13] end when aborted, also without an answer, and leave nothing behind', async () => {
    const stop = new AbortController()
    const seen = collect({ signal: stop.signal })
    await until('it reads', () => rig.subscribers.count === 1)
    stop.abort()
    await seen.done
    await until('the session is gone', () => rig.subscribers.count === 0)
    await rig.pause()
    const again = new AbortController()
    const waiting = collect({ signal: again.signal })
    setTimeout(() => again.abort(), 50)
    await waiting.done
    await rig.resume()
  })

  it('[P13] end with the loop that reads them', async () => {
    happenSoon()
    for await (const event of client.events()) {
      expect(event.kind).toBe('verdict')
      break
    }
    await until('the session is gone', () => rig.subscribers.count === 0)
  })
})

it('[P13] loads nothing but itself, and of Node no fetch', async () => {
  const module = new URL('../../src/client/client.ts', import.meta.url).href
  const code = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    const { connect } = await import(${JSON.stringify(module)})
    const { pid } = await connect(${JSON.stringify(rig.folders)}).health()
    const undici = process.moduleLoadList.filter((name) => name.includes('undici'))
    console.log(JSON.stringify({ pid, loaded, undici }))`
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code])
  const { pid, loaded, undici } = JSON.parse(stdout)
  expect([pid, undici]).toEqual([process.pid, []])
  const names = loaded.map((url: string) => url.replace(/.*\//, ''))
  expect(names.toSorted()).toEqual([
    'ask.ts',
    'client-calls.ts',
    'client.ts',
    'errors.ts',
    'event-blocks.ts',
    'events.ts',
    'fleet-client.ts',
    'json.ts',
    'node:fs',
    'node:os',
    'node:path',
    'own-socket.ts',
    'owners.ts',
    'subscribe.ts',
    'system.ts',
  ])
})

function happen(times: number): void {
  const change = rig.fleet.feed.changes.findLast(({ kind }) => kind === 'verdict')
  for (let at = 0; at < times; at += 1) if (change) rig.fleet.feed.add(change)
}

function happenSoon(): void {
  const timer = setInterval(() => {
    if (rig.subscribers.count === 0) return
    clearInterval(timer)
    happen(1)
  }, 5)
}

function collect(options: Parameters<typeof client.events>[0]) {
  const events: ChangeEvent[] = []
  const done = (async () => {
    for await (const event of client.events(options)) events.push(event)
  })()
  return { events, done }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
