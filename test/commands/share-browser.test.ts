import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownBrowser } from '../support/browser.ts'
import { builtPage } from '../support/built-page.ts'
import { DaemonHome, turn, until } from '../support/daemon.ts'

const NAME = 'vigil.example.org'

/** A phone: the real page of a real daemon through a proxy with TLS, under a name of its own. */
describe('from another device', () => {
  const home = new DaemonHome()
  let proxy: Server
  let browser: Browser
  beforeAll(async () => {
    await builtPage()
    await home.start()
    home.write(turn('one', 1))
    await home.taken()
    proxy = await proxyTo(home.folders.pageSocket)
    const { port } = proxy.address() as AddressInfo
    const names = `--host-resolver-rules=MAP ${NAME}:443 127.0.0.1:${port}`
    browser = await ownBrowser(names)
  })
  afterAll(async () => {
    await browser?.close()
    proxy?.closeAllConnections()
    proxy?.close()
    await home.end()
  })

  it('[DR13] the picture’s address signs it in, and it follows what happens', async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    const page = await context.newPage()
    expect((await page.goto(`https://${NAME}/`))?.status()).toBe(403)
    await home.run(['share', 'add', `https://${NAME}`])
    await until('it is let in', async () => (await page.goto(`https://${NAME}/`))?.status() === 200)
    const { stdout } = await home.run(['share', 'qr'])
    const [address = ''] = /^https:\S+#code=\S+$/m.exec(stdout) ?? []
    await page.goto(address)
    await page.getByText('engine').first().waitFor()
    expect(page.url()).not.toContain('code=')
    expect(await page.evaluate(() => history.length)).toBeLessThan(4)
    home.write({ ...turn('two', 2), cwd: '/home/ada/parser' })
    await page.getByText('parser').first().waitFor()
    expect((await home.client.browsers()).browsers).toMatchObject([{ name: 'Chrome on Linux' }])

    await home.run(['share', 'remove', 'all'])
    const asks = () => page.evaluate(async () => (await fetch('/')).status)
    await until('it is refused', async () => (await asks()) === 403)
    await context.close()
  })

  it('[DR12] signs in again by one address, whether its key still holds or not', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const names = async () => (await home.client.browsers()).browsers.map(({ name }) => name)
    const open = async () => {
      await page.goto((await home.run(['open', '--print'])).stdout.trim())
      await page.getByText('engine').first().waitFor()
    }
    await home.run(['open', '--forget', 'all'])
    await open()
    await open()
    await until('its former self is gone', async () => (await names()).length === 1)
    expect(await names()).toEqual(['Chrome on Linux'])
    await home.run(['open', '--forget', 'all'])
    await page.getByText('This browser is not signed in').waitFor()
    await open()
    await page.goto('about:blank')
    await home.run(['open', '--forget', 'all'])
    await open()
    expect(await names()).toEqual(['Chrome on Linux'])
    await context.close()
  })

  /** As small as they come: Host, Origin and everything else as they are, nothing held back. */
  async function proxyTo(socketPath: string): Promise<Server> {
    const [key, cert] = ['key', 'cert'].map((name) => join(home.path, `${name}.pem`))
    const subject = ['-subj', `/CN=${NAME}`, '-days', '2', '-nodes']
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
    const files = ['-keyout', key ?? '', '-out', cert ?? '']
    execFileSync('openssl', ['req', ...kind, ...subject, ...files], { stdio: 'ignore' })
    const pair = { key: readFileSync(key ?? ''), cert: readFileSync(cert ?? '') }
    const server = createServer(pair, (incoming, outgoing) => {
      const { method, url, headers } = incoming
      const at = { socketPath, method, path: url, headers, agent: false as const }
      const asked = request(at, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      asked.on('error', () => outgoing.destroy())
      outgoing.on('close', () => asked.destroy())
      incoming.pipe(asked)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return server
  }
})
