import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeUnless, NO_PROC, NOT_ROOT } from '../support/needs.ts'
import { bytesOf, type Parts } from './request.ts'
import { type Answer, type Rig, send, startRig, type Transport, until } from './support.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.close())
beforeEach(() => {
  for (const { id } of rig.browsers.list()) rig.browsers.forget(id)
})

const ask = (way: Transport, parts: Parts) => send(rig.dial(way), [bytesOf(rig, way, parts)])
const post = (way: Transport, target: string, body: unknown, headers: Parts['headers'] = {}) =>
  ask(way, { method: 'POST', target, body: JSON.stringify(body), headers })
const NO_TOKEN = { authorization: undefined }
const by = (key: string) => ({ authorization: `Bearer ${key}` })
const page = () => ({ origin: rig.origin, 'sec-fetch-site': 'same-origin' })

async function codeOf(): Promise<string> {
  return JSON.parse((await post('unix', '/v1/browsers/codes', {})).body).code
}

function signInBy(code: string, headers: Parts['headers'] = {}): Promise<Answer> {
  const sent = { ...NO_TOKEN, ...page(), 'user-agent': 'X Firefox/140.0 (Linux)', ...headers }
  return post('tcp', '/v1/browsers/sign-in', { code }, sent)
}

describe('signing in', () => {
  it('[DR5] exchanges a code from the socket for a key that is good from then on', async () => {
    const made = JSON.parse((await post('unix', '/v1/browsers/codes', {})).body)
    expect(made).toMatchObject({ page: true, address: rig.origin, file: null })
    const answer = await signInBy(made.code)
    const signedIn = JSON.parse(answer.body)
    expect([answer.status, signedIn.name]).toEqual([200, 'Firefox on Linux'])
    const headers = { ...by(signedIn.key), ...page() }
    expect((await ask('tcp', { headers })).status).toBe(200)
    const { body } = await ask('tcp', { target: '/v1/browsers', headers })
    const { key: _, ...shown } = signedIn
    expect(JSON.parse(body).browsers).toEqual([
      { ...shown, seenAt: expect.any(Number), here: true },
    ])
  })

  it('[DR7] a browser that signs in again takes the place of its former self', async () => {
    const first = JSON.parse((await signInBy(await codeOf())).body)
    const other = JSON.parse((await signInBy(await codeOf())).body)
    const again = JSON.parse((await signInBy(await codeOf(), by(first.key))).body)
    expect([first.name, other.name, again.name]).toEqual([
      'Firefox on Linux',
      'Firefox on Linux 2',
      'Firefox on Linux',
    ])
    expect(again.key).not.toBe(first.key)
    expect((await ask('tcp', { headers: by(first.key) })).status).toBe(401)
    expect((await ask('tcp', { headers: by(again.key) })).status).toBe(200)
    expect(rig.browsers.list()).toHaveLength(2)
    const wrong = await signInBy('0'.repeat(32), by(again.key))
    expect([wrong.status, rig.browsers.list().length]).toEqual([403, 2])
  })

  it('[DR5] a code is asked for over the socket alone', async () => {
    const { key } = rig.signIn()
    expect((await post('tcp', '/v1/browsers/codes', {})).status).toBe(403)
    expect((await post('tcp', '/v1/browsers/codes', {}, by(key))).status).toBe(403)
  })

  it('[DR5] a code that is used again signs in no browser, and signs the first out', async () => {
    const code = await codeOf()
    const first = JSON.parse((await signInBy(code)).body)
    expect((await signInBy(code)).status).toBe(403)
    expect((await ask('tcp', { headers: by(first.key) })).status).toBe(401)
    expect(rig.browsers.list()).toEqual([])
  })

  it('[DR5] guessing takes the code away', async () => {
    const code = await codeOf()
    const counted = rig.gate.refused().code ?? 0
    for (let tries = 0; tries < 5; tries++)
      expect((await signInBy(String(tries).repeat(32))).status).toBe(403)
    expect((await signInBy(code)).status).toBe(403)
    expect(rig.gate.refused().code).toBe(counted + 6)
  })

  it('[DR10] sets no cookie, and says no code and no key again', async () => {
    const code = await codeOf()
    const answer = await signInBy(code)
    const { key } = JSON.parse(answer.body)
    expect(answer.raw).not.toMatch(/set-cookie/i)
    expect(answer.headers['cache-control']).toBe('no-store')
    const refused = await signInBy(code)
    expect(refused.raw).not.toContain(code)
    const listed = await ask('unix', { target: '/v1/browsers' })
    expect(JSON.stringify([rig.complaints, listed.raw])).not.toContain(code)
    expect(JSON.stringify([rig.complaints, listed.raw])).not.toContain(key.slice(1))
  })
})

describeUnless(NOT_ROOT ?? NO_PROC)('another user', () => {
  it('[OC5] has no way to the page’s socket, whatever it says', () => {
    expect(statSync(rig.folders.pageSocket).mode & 0o777).toBe(0o600)
    const script = `require('node:net').connect(process.argv[1])
      .on('connect', () => console.log('connected')).on('error', ({ code }) => console.log(code))`
    const args = ['-e', script, rig.folders.pageSocket]
    const said = (uid: number) =>
      execFileSync(process.execPath, args, {
        uid,
        gid: uid,
        cwd: '/',
        encoding: 'utf8',
        timeout: 9_000,
      })
    expect(said(12_345)).toBe('EACCES\n')
  })
})

describe('a signed-in browser', () => {
  it('[DR4] may not do what is for programs or for the socket', async () => {
    const { key } = rig.signIn()
    const report = { report: { source: 'hook', payload: { session_id: 'x' } } }
    const before = rig.fleet.log.length
    expect((await post('tcp', '/v1/reports', report, by(key))).status).toBe(403)
    expect((await post('tcp', '/v1/stop', { why: 'x' }, by(key))).status).toBe(403)
    expect([rig.fleet.log.length, rig.fleet.stops]).toEqual([before, []])
  })

  it('[DR4] is refused before its body is read', async () => {
    const { key } = rig.signIn()
    const answer = await ask('tcp', {
      method: 'POST',
      target: '/v1/reports',
      body: '{',
      headers: by(key),
    })
    expect([answer.status, JSON.parse(answer.body).reason]).toEqual([403, 'who'])
  })

  it('[DR4] the token over TCP is no person; over the socket it is', async () => {
    expect((await ask('tcp', { target: '/v1/browsers' })).status).toBe(403)
    expect((await ask('unix', { target: '/v1/browsers' })).status).toBe(200)
  })

  it('[DR6] stays signed in when the daemon starts anew', async () => {
    const { key } = rig.signIn()
    await rig.pause()
    await rig.resume()
    expect((await ask('tcp', { headers: by(key) })).status).toBe(200)
  })

  it('[DR6] is in use until its stream ends', async () => {
    const { key } = rig.signIn()
    const seenAt = () => rig.browsers.list()[0]?.seenAt ?? 0
    const socket = rig.dial('tcp')
    const headers = { ...by(key), connection: 'keep-alive' }
    socket.write(bytesOf(rig, 'tcp', { target: '/v1/events', headers }))
    await new Promise((resolve) => socket.once('data', resolve))
    const begun = seenAt()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(seenAt()).toBe(begun)
    socket.destroy()
    await until('its end is seen', () => seenAt() > begun)
  })

  it('[DR9] that is forgotten is cut off in the middle of what it reads', async () => {
    const [first, second] = [rig.signIn(), rig.signIn()]
    const streams = [first, second].map(({ key }) => {
      const socket = rig.dial('tcp')
      const stream = { isOver: false, said: '' }
      socket
        .on('error', () => {})
        .on('close', () => {
          stream.isOver = true
        })
      socket.on('data', (chunk) => {
        stream.said += chunk
      })
      const headers = { ...by(key), connection: 'keep-alive' }
      socket.write(bytesOf(rig, 'tcp', { target: '/v1/events', headers }))
      return { socket, stream }
    })
    const [one, other] = streams.map(({ stream }) => stream)
    await until('both began', () => streams.every(({ stream }) => /id: /.test(stream.said)))
    const forget = `/v1/browsers/${first.id}/forget`
    expect((await post('tcp', forget, {}, by(second.key))).status).toBe(200)
    await until('the first is cut off', () => one?.isOver === true)
    expect(other?.isOver).toBe(false)
    expect((await ask('tcp', { headers: by(first.key) })).status).toBe(401)
    for (const { socket } of streams) socket.destroy()
  })

  it('[DR9] that signs itself out is answered, and is out', async () => {
    const { id, key } = rig.signIn()
    const answer = await post('tcp', `/v1/browsers/${id}/forget`, {}, by(key))
    expect([answer.status, answer.body]).toEqual([200, '{"forgotten":true}'])
    expect((await ask('tcp', { headers: by(key) })).status).toBe(401)
    expect((await post('unix', `/v1/browsers/${id}/forget`, {})).status).toBe(404)
  })
})
