import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../src/client/client.ts'
import { Refused } from '../../src/client/errors.ts'
import { type Folders, foldersOf } from '../../src/home/folders.ts'
import type { ChangeEvent } from '../../src/protocol/session.ts'
import { DaemonHome, turn, until } from '../support/daemon.ts'
import { goesOn } from '../support/told.ts'
import { arm, env, socketOf } from './stub-daemon.ts'
import { daemonRuns, run, stage } from './support.ts'

describe('a daemon that starts anew', () => {
  let home: DaemonHome
  beforeEach(() => {
    home = new DaemonHome()
  })
  afterEach(() => home.end())

  it('[CT7] has another token, and clients that listen go on', async () => {
    const first = await home.start()
    const before = tokenIn(home.folders)
    const stop = new AbortController()
    const events: ChangeEvent[] = []
    const reading = (async () => {
      for await (const event of home.client.events({ signal: stop.signal })) events.push(event)
    })()
    await until('it listens', () => home.client.health().then((health) => health.subscribers === 1))
    await first.kill('SIGTERM')
    await home.start()
    expect(tokenIn(home.folders)).not.toBe(before)
    expect(await statusWith(home.folders, before)).toBe(401)
    expect(await statusWith(home.folders, tokenIn(home.folders))).toBe(200)
    home.write(turn('a', 1))
    await until('it gets events', () => events.some(({ kind }) => kind === 'verdict'))
    stop.abort()
    await reading
  })
})

describe('a token that is replaced while a client asks', () => {
  let folder: string
  let folders: Folders
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-token-'))
    folders = foldersOf({ VIGIL_HOME: folder })
    mkdirSync(folders.run, { mode: 0o700 })
  })
  afterEach(() => rmSync(folder, { recursive: true, maxRetries: 10 }))

  it('[CT7] is read again, once', async () => {
    writeFileSync(folders.token, 'old\n')
    const daemon = await restarting(folders.socket, folders.token, 'new', '{"version":"1"}')
    expect(await connect(folders).health()).toEqual({ version: '1' })
    expect(daemon.asked).toEqual(['Bearer old', 'Bearer new'])
    writeFileSync(folders.token, 'wrong\n')
    daemon.replaces = false
    await expect(connect(folders).health()).rejects.toThrow(Refused)
    expect(daemon.asked).toHaveLength(3)
    await daemon.close()
  })

  it('[CT7] is read again by a hook that waits', async () => {
    const on = stage({ node: process.execPath })
    daemonRuns(on)
    arm(on)
    const answer = JSON.stringify(goesOn('go on'))
    const daemon = await restarting(socketOf(on), join(on.run, 'token'), 'new', answer)
    const ended = await run(on, ['/bin/sh', on.hook, 'answer'], { input: STOP, env })
    expect([ended.code, ended.stdout]).toEqual([2, '{"decision":"block","reason":"go on"}\n'])
    expect(daemon.asked).toEqual(['Bearer the-token', 'Bearer new'])
    await daemon.close()
  })
})

const STOP = JSON.stringify({ session_id: 's', hook_event_name: 'Stop' })

function tokenIn({ token }: Folders): string {
  return readFileSync(token, 'utf8').trim()
}

function statusWith({ socket }: Folders, token: string): Promise<number | undefined> {
  const headers = { host: 'vigil', authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    const path = '/v1/health'
    const sent = request({ socketPath: socket, path, headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.once('error', reject).end()
  })
}

/** A daemon that has started since the token was read: it has made another. */
async function restarting(socket: string, token: string, made: string, answer: string) {
  const daemon = { asked: [] as string[], replaces: true, close: async () => {} }
  const server = createServer((from: IncomingMessage, to: ServerResponse) => {
    const given = from.headers.authorization ?? ''
    daemon.asked.push(given)
    if (daemon.replaces) writeFileSync(token, `${made}\n`)
    from.resume().once('end', () => {
      const isKnown = given === `Bearer ${made}`
      to.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
      to.end(isKnown ? answer : '{"error":"no","reason":"token"}')
    })
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  daemon.close = () => new Promise((resolve) => server.close(() => resolve()))
  return daemon
}
