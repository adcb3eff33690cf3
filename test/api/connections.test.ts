import { execFile } from 'node:child_process'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeUnless } from '../support/needs.ts'
import { noSecondUser, SecondUser } from '../support/second-user.ts'
import { bytesOf, change, type Parts } from './request.ts'
import { type Rig, send, startRig, until } from './support.ts'

describeUnless(noSecondUser)('connections of another user', () => {
  let rig: Rig
  let user: SecondUser
  beforeAll(async () => {
    rig = await startRig({ limits: { connectionsMax: 3 } })
    user = new SecondUser()
  })
  afterAll(async () => {
    user.remove()
    await rig.close()
  })
  beforeEach(() => {
    for (const { id } of rig.browsers.list()) rig.browsers.forget(id)
  })

  /** What comes back until the other side closes; a reset connection ends it as well. */
  const asUser = (uid: number, address: string, bytes: string) => {
    const script = `exec 3<>/dev/tcp/${address}/${rig.port}; printf '%s' "$0" >&3; cat <&3`
    const options = { uid, gid: uid, cwd: '/' }
    return new Promise<string>((resolve) => {
      execFile('/bin/bash', ['-c', script, bytes], options, (_, stdout) => resolve(stdout))
    })
  }
  const NO_TOKEN = { authorization: undefined }
  const refused = () => rig.gate.refused().user ?? 0
  const signingIn = (code: string): Parts => ({
    method: 'POST',
    target: '/v1/browsers/sign-in',
    body: JSON.stringify({ code }),
    headers: NO_TOKEN,
  })
  const code = () => rig.browsers.code().code
  const stolen = () => ({ authorization: `Bearer ${rig.signIn().key}` })
  const shared = { host: 'vigil.example.org', origin: 'https://vigil.example.org' }

  const attempts: readonly (readonly [string, () => Parts])[] = [
    ['the page', () => ({ target: '/', headers: NO_TOKEN })],
    ['a listing with the token', () => ({})],
    ['a report with the token', () => change()],
    ['a listing with a browser’s key', () => ({ headers: stolen() })],
    ['a listing by a shared address', () => ({ headers: { ...stolen(), host: shared.host } })],
    ['the page by a shared address', () => ({ target: '/', headers: { host: shared.host } })],
    ['signing in with a code', () => signingIn(code())],
    [
      'signing in by a shared address',
      () => {
        const { headers, ...rest } = signingIn(code())
        return { ...rest, headers: { ...headers, ...shared } }
      },
    ],
    ['no request at all', () => ({ version: 'nonsense' })],
  ]

  describe.each(['127.0.0.1', '::ffff:127.0.0.1'])('to %s', (address) => {
    it.each(attempts)('[CT1] %s: not a byte is answered, and nothing is done', async (_, parts) => {
      rig.shared.push(shared)
      const bytes = bytesOf(rig, 'tcp', parts())
      const before = {
        log: rig.fleet.log.length,
        browsers: rig.browsers.list().length,
        refused: refused(),
      }
      expect(await asUser(user.uid, address, bytes)).toBe('')
      expect(refused()).toBe(before.refused + 1)
      expect(rig.fleet.log).toHaveLength(before.log)
      expect(rig.browsers.list()).toHaveLength(before.browsers)
      rig.shared.pop()
    })

    it('[CT1][DR8] a code that another user tried stays good for the daemon’s own', async () => {
      const bytes = bytesOf(rig, 'tcp', signingIn(code()))
      expect(await asUser(user.uid, address, bytes)).toBe('')
      expect(await asUser(0, address, bytes)).toMatch(/^HTTP\/1\.1 200/)
    })
  })

  it('[CT4] are served where the system does not tell whose they are', async () => {
    const { platform } = process
    Object.defineProperty(process, 'platform', { value: 'darwin' })
    await rig.pause()
    await rig.resume()
    Object.defineProperty(process, 'platform', { value: platform })
    expect(await asUser(user.uid, '127.0.0.1', bytesOf(rig, 'tcp'))).toMatch(/^HTTP\/1\.1 200/)
    await rig.pause()
    await rig.resume()
    expect(await asUser(user.uid, '127.0.0.1', bytesOf(rig, 'tcp'))).toBe('')
  })

  /** While it runs the daemon, which is in this process, is busy; then each is closed already. */
  const sendAndClose = (bytes: readonly string[]) => {
    const one = `exec 3<>/dev/tcp/127.0.0.1/${rig.port}; printf '%s' "$1" >&3; exec 3>&-`
    const script = `while [ $# -gt 0 ]; do ${one}; shift; done`
    const { status, stderr } = user.run('/bin/bash', ['-c', script, 'bash', ...bytes])
    expect([status, stderr]).toEqual([0, ''])
  }

  it('[CT2] what was sent over a socket that is closed again does nothing', async () => {
    const [thief, other] = [rig.signIn(), rig.signIn()]
    const forget = bytesOf(rig, 'tcp', {
      method: 'POST',
      target: `/v1/browsers/${other.id}/forget`,
      body: '{}',
      headers: { authorization: `Bearer ${thief.key}` },
    })
    const before = refused()
    sendAndClose([forget])
    await until('it is refused', () => refused() === before + 1)
    expect(rig.browsers.list().map(({ id }) => id)).toContain(other.id)
    const own = await send(rig.dial('tcp'), [forget])
    expect(own.status).toBe(200)
  })

  it('[CT2] of a flood of sign-ins none passes', async () => {
    const codes = Array.from({ length: 8 }, code)
    const [before, log] = [refused(), rig.fleet.log.length]
    const flood = Array.from({ length: 300 }, (_, i) =>
      bytesOf(rig, 'tcp', i % 2 === 0 ? signingIn(codes[i % 8] ?? '') : change()),
    )
    sendAndClose(flood)
    await until('all are refused', () => refused() === before + flood.length)
    expect([rig.browsers.list(), rig.fleet.log.length]).toEqual([[], log])
  })

  it('[CT3] take no place of the daemon’s own user', async () => {
    const before = refused()
    const dial = `exec {fd}<>/dev/tcp/127.0.0.1/${rig.port} || exit`
    const holder = user.start('/bin/bash', ['-c', `for i in {1..20}; do ${dial}; done; read`])
    const ended = new Promise((resolve) => holder.once('exit', resolve))
    await until('all are refused', () => refused() === before + 20)
    const { status } = await send(rig.dial('tcp'), [bytesOf(rig, 'tcp')])
    holder.stdin.end()
    await ended
    expect(status).toBe(200)
  })
})
