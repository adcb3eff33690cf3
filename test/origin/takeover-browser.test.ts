import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holderOf } from '../../src/client/holder.ts'
import { signInAt } from '../support/ask-page.ts'
import { openBrowser } from '../support/browser.ts'
import { builtPage } from '../support/built-page.ts'
import { DaemonHome, until } from '../support/daemon.ts'
import { itUnless } from '../support/needs.ts'
import { noSecondUser, SecondUser } from '../support/second-user.ts'
import { attacks } from './attacker.ts'

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

const health = async () => (await home.client.health()).address ?? ''

/** The status of a request by the page itself, with the key it keeps. */
function asks(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const authorization = `Bearer ${localStorage.getItem('vigil.key')}`
    return (await fetch('/v1/sessions', { headers: { authorization } })).status
  })
}

async function signedIn(): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  const { address, code } = await home.client.browserCode()
  await page.goto(`${address}/#code=${code}`)
  await page.getByTestId('list').waitFor({ state: 'attached' })
  return page
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

describe('the address of a signed-in browser', () => {
  itUnless(noSecondUser)(
    '[OC2] is worth nothing to a user who took its port in a gap',
    async () => {
      const attacker = new SecondUser()
      try {
        const page = await signedIn()
        const before = await health()
        const { port } = new URL(before)
        const key = String(await page.evaluate(() => localStorage.getItem('vigil.key')))
        await until('it is held', () => holderOf(home.folders))
        await home.kill()
        for (const host of ['127.0.0.1', '::1'])
          expect((await attacks(attacker, port, host)).said).toBe('EADDRINUSE')

        process.kill(holderOf(home.folders)?.pid ?? 0, 'SIGKILL')
        await until('no process holds it', async () => !(await isTaken(Number(port))))
        const taken = [
          await attacks(attacker, port, '127.0.0.1'),
          await attacks(attacker, port, '::1'),
        ]
        expect(taken.map(({ said }) => said)).toEqual(['listens', 'listens'])
        await page.goto(before)
        await page.waitForFunction(() => document.title === 'ready')
        for (const { end } of taken) await end()

        await home.run(['status'])
        const now = await health()
        expect(new URL(now).hostname).not.toBe(new URL(before).hostname)
        expect(await statusOf(now, key)).toBe(401)
        expect(await statusOf(now, key, before)).toBe(403)
        // The browser still has what was planted for the old address, and that reaches nothing.
        await page.goto(before)
        expect(await page.title()).toBe('taken')
        const { code, address } = await home.client.browserCode()
        await page.goto(`${address}/#code=${code}`)
        await page.getByTestId('list').waitFor({ state: 'attached' })
        expect(await asks(page)).toBe(200)
      } finally {
        attacker.remove()
      }
    },
  )

  it('[OC3] stays signed in over a restart, in the very same tab', async () => {
    const page = await signedIn()
    const before = await health()
    await home.again()
    expect(await health()).toBe(before)
    expect(await asks(page)).toBe(200)
    await page.reload()
    await page.getByTestId('list').waitFor({ state: 'attached' })
  })

  it('[OC1] is found from the usual names of this machine, where no page is', async () => {
    const page = await (await browser.newContext()).newPage()
    const { port } = new URL(await health())
    for (const name of ['127.0.0.1', 'localhost']) {
      await page.goto(`http://${name}:${port}/`)
      expect(new URL(page.url()).origin).toBe(await health())
    }
    expect(await statusOf(`http://127.0.0.1:${port}`, undefined, undefined, '/index.html')).toBe(
      401,
    )
  })

  it('[OC8] signing in clears what was kept for it, but for key and choices', async () => {
    const page = await signedIn()
    await page.evaluate(async () => {
      localStorage.setItem('vigil.theme', 'dark')
      await (await caches.open('planted')).put('/planted', new Response('x'))
    })
    for (let times = 0; times < 5; times++) {
      const { code, address } = await home.client.browserCode()
      await page.goto('about:blank')
      await page.goto(`${address}/#code=${code}`)
      await page.getByTestId('list').waitFor({ state: 'attached' })
      await page.waitForTimeout(100)
      expect(await asks(page)).toBe(200)
    }
    expect(await page.evaluate(() => caches.keys())).toEqual([])
    expect(await page.evaluate(() => localStorage.getItem('vigil.theme'))).toBe('dark')
  })

  it('[OC8] the page itself can register no service worker', async () => {
    const page = await signedIn()
    const outcome = page.evaluate(() => {
      const { trustedTypes } = window as unknown as { trustedTypes: TrustedTypes }
      const policy = trustedTypes.createPolicy('any', { createScriptURL: (url) => url })
      const script = policy.createScriptURL('/assets/x.js')
      return navigator.serviceWorker.register(script).then(
        () => 'registered',
        (error: Error) => error.name,
      )
    })
    expect(await outcome).toBe('SecurityError')
  })
})

describe('the code', () => {
  it('[OC7] stands on no command line; the file with it goes when it was used', async () => {
    const { file, address, code } = await home.client.browserCode({ file: true })
    expect(file).not.toBeNull()
    const page = await (await browser.newContext()).newPage()
    await page.goto(`file://${file}`)
    await page.getByTestId('list').waitFor({ state: 'attached' })
    expect(page.url()).not.toContain(code)
    expect(existsSync(file ?? '')).toBe(false)
    expect((await signInAt(`${address}/#code=${code}`)).status).toBe(403)
    const lines = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(commandLineOf)
    expect(lines.join('\n')).not.toContain(code)
  })
})

function statusOf(at: string, key?: string, under = at, path = '/v1/sessions'): Promise<number> {
  const headers = { host: new URL(under).host, ...(key && { authorization: `Bearer ${key}` }) }
  const where = { host: '127.0.0.1', port: new URL(at).port, path, headers, agent: false }
  return new Promise((resolve, reject) => {
    request(where, (answer) => resolve(answer.resume().statusCode ?? 0))
      .on('error', reject)
      .end()
  })
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(join('/proc', pid, 'cmdline'), 'utf8')
  } catch {
    return ''
  }
}
