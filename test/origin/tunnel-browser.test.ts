import { createServer, type Server } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { builtPage } from '../support/built-page.ts'
import { DaemonHome, until } from '../support/daemon.ts'
import { itUnless } from '../support/needs.ts'
import { noSecondUser, SecondUser } from '../support/second-user.ts'
import { Forward, freePort, TunnelCommand } from '../support/tunnel.ts'
import { attacks, WORKER } from './attacker.ts'

/** The computer that one comes from by SSH, with another user on it; ssh is stood in for. */
const home = new DaemonHome()
let browser: Browser
beforeAll(async () => {
  await builtPage()
  await home.start()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await home.end()
})

const newPage = async () => (await browser.newContext()).newPage()
const isIn = (page: Page) => page.getByTestId('list').waitFor({ state: 'attached' })

const ASK = `
const [port, host, key] = process.argv.slice(1)
const headers = { host, authorization: 'Bearer ' + key }
require('node:http').get({ host: '127.0.0.1', port, path: '/v1/sessions', headers }, (answer) => {
  console.log(answer.statusCode); process.exit()
}).on('error', ({ code }) => { console.log(code); process.exit() })`

/** What the other user of that computer is answered by the tunnel's port. */
function askedBy(user: SecondUser, port: number, origin: string, key: string): Promise<string> {
  const { host } = new URL(origin)
  const child = user.start(process.execPath, ['-e', ASK, String(port), host, key])
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  return new Promise((resolve) => child.once('close', () => resolve(said.trim())))
}

itUnless(noSecondUser)(
  '[OC10] is worth nothing to a user of the other computer who took its port in a gap',
  async () => {
    const attacker = new SecondUser()
    const port = await freePort()
    try {
      const first = new TunnelCommand(home, '1', port)
      const before = await first.origin()
      let forward = await Forward.listen(port, first.socket)
      const page = await newPage()
      await page.goto(await first.address())
      await isIn(page)
      const key = String(await page.evaluate(() => localStorage.getItem('vigil.key')))
      // While it stands, the other user reaches it and gets nothing.
      expect(await askedBy(attacker, port, 'http://localhost', key)).toBe('403')

      // ssh dies and the machine of the agents does not hear of it. The tab reconnects by itself.
      await forward.end()
      const taken = [
        await attacks(attacker, String(port), '127.0.0.1'),
        await attacks(attacker, String(port), '::1'),
      ]
      expect(taken.map(({ said }) => said)).toEqual(['listens', 'listens'])
      const heard = () => taken.map((one) => one.heard()).join()
      await until('the tab has sent its key there', () => heard().includes(key), 20_000)
      await page.goto(before)
      await page.waitForFunction(() => document.title === 'ready')
      for (const { end } of taken) await end()

      const second = new TunnelCommand(home, '2', port)
      const now = await second.origin()
      forward = await Forward.listen(port, second.socket)
      expect(await askedBy(attacker, port, before, key)).toBe('403')
      expect(await askedBy(attacker, port, now, key)).toBe('401')
      await page.goto(before)
      expect(await page.title()).toBe('taken')
      await page.goto(await second.address())
      await isIn(page)
      await forward.end()
      for (const one of [first, second]) await one.end()
    } finally {
      attacker.remove()
    }
  },
)

it('[OC10] is good again after a restart of the daemon, in the very same tab', async () => {
  const port = await freePort()
  const tunnel = new TunnelCommand(home, '3', port)
  const page = await newPage()
  await tunnel.address()
  const forward = await Forward.listen(port, tunnel.socket)
  await page.goto(await tunnel.address())
  await isIn(page)
  await home.again()
  await until('the page is back', async () => !(await page.title()).startsWith('…'), 20_000)
  await page.reload()
  await isIn(page)
  await forward.end()
  await tunnel.end()
})

it('[OC8] a worker that was planted for it ends itself once the daemon is there', async () => {
  const port = await freePort()
  const tunnel = new TunnelCommand(home, '4', port)
  const origin = await tunnel.origin()
  const planters = [await planter('127.0.0.1', port), await planter('::1', port)]
  const page = await newPage()
  await page.goto(origin)
  await page.waitForFunction(() => document.title === 'ready')
  await page.goto(origin)
  expect(await page.title()).toBe('taken')
  for (const one of planters) close(one)
  const forward = await Forward.listen(port, tunnel.socket)
  await page.goto(origin)
  await page.getByText('This browser is not signed in').waitFor()
  const left = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
  await until('it is unregistered', async () => (await left()) === 0)
  await page.goto(await tunnel.address())
  await isIn(page)
  await forward.end()
  await tunnel.end()
})

/** Leaves a worker in every browser that comes. */
function planter(host: string, port: number): Promise<Server> {
  const ready = "navigator.serviceWorker.ready.then(() => { document.title = 'ready' })"
  const registers = `navigator.serviceWorker.register('/sw.js').then(() => ${ready})`
  const server = createServer((incoming, outgoing) => {
    const isWorker = incoming.headers['service-worker'] === 'script'
    outgoing.setHeader('content-type', isWorker ? 'text/javascript' : 'text/html')
    outgoing.end(isWorker ? WORKER : `<!doctype html><script>${registers}</script>`)
  })
  return new Promise((resolve) => {
    server.listen({ host, port, ipv6Only: true }, () => resolve(server))
  })
}

function close(server: Server): void {
  server.closeAllConnections()
  server.close()
}
