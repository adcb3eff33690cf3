import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readSettings } from '../../src/home/settings.ts'
import { askPage, signInAt } from '../support/ask-page.ts'
import { builtPage } from '../support/built-page.ts'
import { DaemonHome, until } from '../support/daemon.ts'
import { TunnelCommand } from '../support/tunnel.ts'

const PORT = 47_110
let home: DaemonHome
beforeAll(async () => void (await builtPage()))
beforeEach(async () => {
  home = new DaemonHome()
  await home.start()
})
afterEach(() => home.end())

const open = (name: string, port = PORT) => new TunnelCommand(home, name, port)

async function signedIn(tunnel: TunnelCommand): Promise<string> {
  const { status, json } = await signInAt(await tunnel.address(), {}, tunnel.socket)
  expect(status).toBe(200)
  return String(json.key)
}

async function statusOf(key: string, origin: string, socketPath: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  return (await askPage(origin, { path: '/v1/sessions', headers, socketPath })).status
}

const browsers = async () => (await home.client.browsers()).browsers.map(({ origin }) => origin)

describe('a tunnel of SSH', () => {
  it('[OC10] has a socket and an address of its own, each time others', async () => {
    const [one, two] = [open('1001'), open('1002')]
    const [here, there] = [await one.origin(), await two.origin()]
    expect(here).toMatch(/^http:\/\/t[0-9a-f]{32}\.localhost:47110$/)
    expect(there).not.toBe(here)
    expect(statSync(one.socket).mode & 0o777).toBe(0o600)
    const key = await signedIn(one)
    expect(await statusOf(key, here, one.socket)).toBe(200)
    // What was learned of one leads nowhere by another, nor by the socket of shared addresses.
    for (const socket of [two.socket, home.folders.pageSocket])
      expect(await statusOf(key, here, socket)).toBe(403)
    expect(await statusOf(key, there, two.socket)).toBe(401)
    const own = (await home.client.health()).address ?? ''
    expect(await statusOf(key, own, one.socket)).toBe(403)
    for (const host of ['localhost:47110', '127.0.0.1:47110', 'vigil'])
      expect(await statusOf(key, `http://${host}`, one.socket)).toBe(403)
  })

  it('[OC10] ends with its command, and so do its socket and its keys', async () => {
    const tunnel = open('1001')
    const origin = await tunnel.origin()
    const key = await signedIn(tunnel)
    expect(await browsers()).toEqual([origin])
    await tunnel.end()
    expect(existsSync(tunnel.socket)).toBe(false)
    await until('it is signed out', async () => (await browsers()).length === 0)
    expect((await home.client.acts({ limit: 1 })).acts[0]).toMatchObject({ what: 'sign-out' })
    const next = open('1002')
    await next.address()
    expect(await statusOf(key, origin, next.socket)).toBe(403)
  })

  it('[OC10] has a name that was never used: no lingering one is reached by it', async () => {
    const first = open('1001')
    await first.address()
    const again = open('1001')
    const { code, stderr } = await again.running.ended
    expect([code, stderr]).toEqual([2, expect.stringContaining('was used before')])
    expect((await first.running.ended).code).toBe(2)
    expect(existsSync(first.socket)).toBe(false)
    expect((await open('1001').running.ended).stderr).toContain('was used before')
    for (const name of ['../x', 'vigil.sock', '12345678901', ''])
      expect((await open(name).running.ended).code).toBe(2)
  })

  it('[OC10] outlasts a restart of the daemon, with its signed-in browsers', async () => {
    const tunnel = open('1001')
    const origin = await tunnel.origin()
    const key = await signedIn(tunnel)
    for (const leave of [() => home.kill(), () => home.run(['stop'])]) {
      await leave()
      await home.run(['status'])
      await until('it is there again', () =>
        statusOf(key, origin, tunnel.socket).then(
          (status) => status === 200,
          () => false,
        ),
      )
      expect(await browsers()).toEqual([origin])
    }
    await tunnel.end()
    await until('it is signed out', async () => (await browsers()).length === 0)
  })

  it('[OC10] leaves no socket behind, also when daemon and command were killed', async () => {
    const tunnel = open('1001')
    await tunnel.address()
    await home.kill()
    await tunnel.running.kill()
    expect(existsSync(tunnel.socket)).toBe(true)
    await home.run(['status'])
    expect(existsSync(tunnel.socket)).toBe(false)
  })

  it('[OC10] gives another code for Enter, good for its address alone', async () => {
    const tunnel = open('1001')
    const first = await tunnel.address()
    tunnel.types('\n')
    const codes = () => tunnel.running.stdout.match(/code=[0-9a-f]{32}/g) ?? []
    await until('there is another', () => codes().length === 2)
    expect(codes()[1]).not.toBe(codes()[0])
    const { origin } = new URL(first)
    const second = `${origin}/#${codes()[1]}`
    const own = (await home.client.health()).address ?? ''
    expect((await signInAt(second.replace(origin, own))).status).toBe(403)
    expect((await signInAt(second, {}, tunnel.socket)).status).toBe(200)
  })

  it('[OC10] an agent opens none', async () => {
    home.env.CLAUDECODE = '1'
    const { code, stderr } = await open('1001').running.ended
    expect([code, stderr]).toEqual([2, expect.stringContaining('only the user')])
  })
})

it('[DR11] addresses of plain http in older settings lead nowhere, and break nothing', async () => {
  const settings = join(home.folders.config, 'settings.json')
  const origins = ['http://localhost:8080', 'https://a.example', 'http://127.0.0.1:9']
  writeFileSync(settings, JSON.stringify({ share: { origins }, tmux: { mode: 'real-time' } }))
  expect(readSettings(home.folders)).toMatchObject({
    share: { origins: ['https://a.example'] },
    tmux: { mode: 'real-time' },
  })
  const { pageSocket: socketPath } = home.folders
  const status = async (origin: string) => (await askPage(origin, { socketPath })).status
  await until('it is let in', async () => (await status('https://a.example')) === 200)
  expect(await status('http://localhost:8080')).toBe(403)
})
