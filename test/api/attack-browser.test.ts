import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ownBrowser } from '../support/browser.ts'
import { type Rig, startRig } from './support.ts'

/** A name of the attacker's that has become this machine's: what rebinding comes to. */
const REBOUND = '--host-resolver-rules=MAP rebound.evil.example 127.0.0.1'

let rig: Rig
let evil: Server
let browser: Browser
let evilPort = 0

/** The user's own browser, signed in, meets pages of others. */
describe('in a real browser', () => {
  beforeAll(async () => {
    rig = await startRig()
    evil = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><title>evil</title>')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => evil.once('listening', resolve))
    evilPort = (evil.address() as AddressInfo).port
    browser = await ownBrowser(REBOUND)
  })
  afterAll(async () => {
    await browser?.close()
    evil?.close()
    await rig?.close()
  })

  const own = () => rig.origin
  let context: Awaited<ReturnType<Browser['newContext']>>
  let before: unknown
  beforeEach(async () => {
    await context?.close()
    context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(own())
    await page.evaluate((key) => localStorage.setItem('vigil.key', key), rig.browser.key)
    expect(await asks(page)).toBe(200)
    before = stateOf(rig)
  })

  const origins = (): Record<string, string> => ({
    'another port': `http://127.0.0.1:${evilPort}`,
    'another name': `http://localhost:${evilPort}`,
    'a rebound name': `http://rebound.evil.example:${evilPort}`,
  })

  it.each(['another port', 'another name', 'a rebound name'])(
    '[DR1] a page of %s gets nothing, and has nothing to ride on',
    async (name) => {
      const page = await context.newPage()
      await page.goto(origins()[name] as string)
      expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ''])
      expect(await page.evaluate(tryAll, own())).toEqual({
        read: 'failed',
        readWithKey: 'failed',
        write: 'failed',
        signIn: 'failed',
        opaque: 'opaque',
        image: 'failed',
        script: 'failed',
        stream: 'failed',
        socket: 'failed',
      })
      expect(stateOf(rig)).toEqual(before)
    },
  )

  it('[DR1] under a rebound name the very port answers nothing', async () => {
    const page = await context.newPage()
    const answer = await page.goto(`http://rebound.evil.example:${rig.port}/`)
    expect(answer?.status()).toBe(403)
    expect(await page.content()).not.toContain('<title>vigil</title>')
    expect(await asks(page)).toBe(403)
  })

  it('[DR3] no site can frame the page or keep a handle to its window', async () => {
    const page = await context.newPage()
    await page.goto(origins()['another port'] as string)
    const framed = await page.evaluate((address) => {
      const frame = document.createElement('iframe')
      frame.src = address
      document.body.append(frame)
      return new Promise((resolve) => {
        frame.onload = () => resolve(frame.contentDocument?.title ?? 'not readable')
      })
    }, own())
    expect(framed).toBe('not readable')
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      page.evaluate((address) => {
        Object.assign(window, { hand: window.open(address) })
      }, own()),
    ])
    // A link leads there (DR17), and that is all it does.
    await opened.waitForFunction(() => document.title.includes('vigil'))
    expect(await opened.evaluate(() => window.opener)).toBeNull()
    const hand = () => (window as unknown as { hand: Window }).hand.closed
    await page.waitForFunction(hand)
  })

  it('[DR3] a text that became part of the page runs nothing and calls no server', async () => {
    const [page] = context.pages() as [Page]
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
    const ran = await page.evaluate(async (elsewhere) => {
      const marks: string[] = []
      Object.assign(window, { mark: (what: string) => marks.push(what) })
      const attempt = async (name: string, act: () => unknown) => {
        try {
          await act()
          marks.push(`${name} went through`)
        } catch {
          // As it should.
        }
      }
      await attempt('innerHTML', () => {
        document.body.innerHTML = '<img src=x onerror="mark(1)">'
      })
      // Later, since what a debugger calls itself may evaluate.
      setTimeout(() => attempt('code', () => setTimeout('mark(2)' as never)))
      await attempt('fetch', () => fetch(elsewhere, { mode: 'no-cors' }))
      const link = document.createElement('a')
      link.href = 'javascript:mark(3)'
      document.body.append(link)
      link.click()
      const script = document.createElement('script')
      await attempt('inline', () => {
        script.textContent = 'mark(4)'
        document.body.append(script)
      })
      await new Promise((resolve) => setTimeout(resolve, 200))
      return marks.filter((mark) => mark !== 'inline went through')
    }, origins()['another port'] as string)
    expect(ran).toEqual([])
  })

  it('[DR9] a browser that is forgotten is out in the middle of a stream', async () => {
    const { id, key } = rig.signIn()
    const [page] = context.pages() as [Page]
    const ended = page.evaluate(async (bearer) => {
      const headers = { authorization: `Bearer ${bearer}` }
      const reader = (await fetch('/v1/events', { headers })).body?.getReader()
      await reader?.read()
      Object.assign(window, { isReading: true })
      try {
        while (!(await reader?.read())?.done);
        return 'ended'
      } catch {
        return 'cut off'
      }
    }, key)
    await page.waitForFunction(() => 'isReading' in window)
    rig.browsers.forget(id)
    expect(await ended).toBe('cut off')
  })
})

/** A request of the page itself, with the key it keeps. */
function asks(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const authorization = `Bearer ${localStorage.getItem('vigil.key')}`
    return (await fetch('/v1/sessions', { headers: { authorization } })).status
  })
}

/** What a page can try against another origin; runs in the browser. */
async function tryAll(address: string): Promise<Record<string, string>> {
  const of = async (act: () => Promise<unknown>) => {
    try {
      return String(await act())
    } catch {
      return 'failed'
    }
  }
  const element = (tag: 'img' | 'script', path: string) =>
    new Promise((resolve, reject) => {
      const made = document.createElement(tag)
      made.onload = () => resolve('loaded')
      made.onerror = reject
      made.src = address + path
      document.body.append(made)
    })
  const json = { 'content-type': 'application/json', 'x-vigil': '1' }
  const authorization = `Bearer b${'0'.repeat(64)}`
  return {
    read: await of(async () => (await fetch(`${address}/v1/sessions`)).text()),
    readWithKey: await of(async () =>
      (await fetch(`${address}/v1/sessions`, { headers: { authorization } })).text(),
    ),
    write: await of(async () =>
      (await fetch(`${address}/v1/stop`, { method: 'POST', headers: json, body: '{}' })).text(),
    ),
    signIn: await of(async () =>
      (await fetch(`${address}/v1/browsers/sign-in`, { method: 'POST', body: '{}' })).text(),
    ),
    opaque: await of(async () => {
      const [method, mode] = ['POST', 'no-cors'] as const
      return (await fetch(`${address}/v1/stop`, { method, mode, body: '{"why":"x"}' })).type
    }),
    image: await of(() => element('img', '/icon.svg')),
    script: await of(() => element('script', '/assets/app-4f2a.js')),
    stream: await of(
      () =>
        new Promise((resolve, reject) => {
          const source = new EventSource(`${address}/v1/events`)
          source.onopen = () => resolve('open')
          source.onerror = reject
        }),
    ),
    socket: await of(
      () =>
        new Promise((resolve, reject) => {
          const socket = new WebSocket(`${address.replace('http', 'ws')}/v1/events`)
          socket.onopen = () => resolve('open')
          socket.onerror = reject
        }),
    ),
  }
}

function stateOf({ fleet, subscribers, browsers }: Rig) {
  const { log, stops, imported, feed } = fleet
  const counts = [log.length, stops.length, imported.length, browsers.list().length]
  return [...counts, feed.lastId(), subscribers.count]
}
