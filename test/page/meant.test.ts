import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hookAsks, type WaitingHook } from '../support/hook-asks.ts'
import { asks, BUILD, PageFleet } from '../support/page-fleet.ts'
import { choose, PageStage, PHONE, passes, QUIET_MS } from '../support/page-stage.ts'

const stage = new PageStage()
const fleet = new PageFleet(stage.home)
let page: Page
let context: BrowserContext
let evil: Server
let hook: WaitingHook

/** Another site, and a signed-in page of a browser whose windows gain and lose the focus. */
beforeAll(async () => {
  await stage.begin()
  evil = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>evil</title><input autofocus>')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => evil.once('listening', resolve))
  page = await stage.signedIn()
  context = page.context()
  await fleet.tell('asks', 1, ...asks('Bash', BUILD).slice(0, 2))
  await page.locator('[data-id="asks"]').waitFor()
  hook = await hookAsks(stage.home, 'asks', 'Bash', BUILD)
  await page.locator('.request').waitFor()
})
afterEach(async () => {
  for (const other of context.pages()) if (other !== page) await other.close()
})
afterAll(async () => {
  hook?.end()
  evil?.close()
  await stage.end()
})

const elsewhere = () => `http://127.0.0.1:${(evil.address() as AddressInfo).port}`
const stillAsks = async () => (await stage.home.client.session('asks'))?.asks.length === 1

async function hostile(): Promise<Page> {
  const other = await context.newPage()
  await other.goto(elsewhere())
  return other
}

/** As a site opens a window on a click of its visitor's. */
async function popup(from: Page, address: string): Promise<Page> {
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    from.evaluate((to) => void window.open(to), address),
  ])
  return opened
}

async function types(on: Page, keys: readonly string[], everyMs: number): Promise<void> {
  for (const key of keys) {
    await on.keyboard.press(key)
    await passes(on, everyMs)
  }
}

const BLIND = [
  'y',
  'y',
  'Enter',
  'y',
  'j',
  'y',
  'k',
  'Enter',
  'y',
  'Tab',
  'Enter',
  'y',
  'd',
  'Enter',
]

/** What a game is played with, and between it the key that allows. */
const GAME = ['ArrowDown', 'ArrowUp', 'ArrowDown', 'y', 'ArrowDown', 'y', 'End', 'y']

describe('[SH13] a link on another site', () => {
  it('leads to a document that says so, and typing there answers nothing', async () => {
    const opened = await popup(await hostile(), `${await stage.address()}/#/s/asks`)
    await opened.getByText('You came here from another site').waitFor()
    expect(await opened.getByTestId('list').count()).toBe(0)
    const on = opened.getByRole('button', { name: 'Go on to vigil' })
    expect(await on.isDisabled()).toBe(true)
    await types(opened, BLIND, 120)
    expect(await stillAsks()).toBe(true)
  })

  it('goes on by its button, to the place that was linked, with nothing armed', async () => {
    const opened = await popup(await hostile(), `${await stage.address()}/#/s/asks`)
    await opened.getByRole('button', { name: 'Go on to vigil' }).click()
    await opened.locator('.request').waitFor()
    expect(new URL(opened.url())).toMatchObject({ pathname: '/', hash: '#/s/asks' })
    await passes(opened, QUIET_MS)
    await types(opened, BLIND, 150)
    expect(await stillAsks()).toBe(true)
    expect(await opened.getByRole('button', { name: /Allow once/ }).isDisabled()).toBe(true)
  })

  it('with a code goes on by itself, and no session is chosen', async () => {
    const { code } = await stage.home.client.browserCode()
    const opened = await popup(await hostile(), `${await stage.address()}/#code=${code}`)
    await opened.locator('[data-id="asks"]').waitFor()
    expect(opened.url()).not.toContain(code)
    await passes(opened, QUIET_MS)
    expect(await opened.locator('[aria-current="true"], .request').count()).toBe(0)
    await types(opened, BLIND, 100)
    expect(await stillAsks()).toBe(true)
  })

  it.each([
    ['that is made up', `#code=${'0'.repeat(32)}`],
    ['that is none', '#code='],
  ])('with a code %s goes no further, by a name without a page too', async (_, hash) => {
    const { port } = new URL(await stage.address())
    const opened = await popup(await hostile(), `http://127.0.0.1:${port}/${hash}`)
    await passes(opened, QUIET_MS)
    await types(opened, [...GAME, ...GAME], 220)
    expect(await stillAsks()).toBe(true)
    await opened.getByText('You came here from another site').waitFor()
    await opened.getByRole('button', { name: 'Go on to vigil' }).click()
    await opened.locator('[data-id="asks"]').waitFor()
  })

  it('continues by no key and no click of a user who does not stop', async () => {
    const opened = await popup(await hostile(), `${await stage.address()}/#/s/asks`)
    const on = opened.getByRole('button', { name: 'Go on to vigil' })
    const box = await on.boundingBox()
    for (let times = 0; times < 6; times += 1) {
      await opened.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 10)
      // Not Tab: it leads out of a page without a button that works.
      await types(opened, ['ArrowDown', 'y'], 220)
    }
    expect(await on.isDisabled()).toBe(true)
  })

  it('by hand, and from the page itself, the page is there at once', async () => {
    const own = await context.newPage()
    await own.goto(await stage.address())
    await own.getByTestId('list').waitFor()
    await own.evaluate(() => location.reload())
    await own.getByTestId('list').waitFor()
  })
})

describe('[SH10] keys and clicks that were meant for another window', () => {
  it('typed on into a page that has just been loaded answer nothing', async () => {
    const own = await context.newPage()
    await own.goto(`${await stage.address()}/#/s/asks`)
    await types(own, [...BLIND, ...BLIND], 90)
    expect(await stillAsks()).toBe(true)
    await own.getByText('choose the session first').first().waitFor()
  })

  it('a game that goes on after its site went back in the history answers nothing', async () => {
    const own = await context.newPage()
    await own.goto(`${await stage.address()}/#/s/asks`)
    await own.locator('.request').waitFor()
    await own.goto(elsewhere())
    // The page that says so is gone before it can reply.
    await own.evaluate(() => void setTimeout(() => history.back()))
    await own.locator('.request').waitFor()
    await types(own, [...GAME, ...GAME], 220)
    expect(await stillAsks()).toBe(true)
  })

  it('a double click, and any number of clicks on one place, answer nothing', async () => {
    const own = await context.newPage()
    await own.goto(`${await stage.address()}/#/s/asks`)
    const allow = own.getByRole('button', { name: /Allow once/ })
    const box = await allow.boundingBox()
    const [x, y] = [(box?.x ?? 0) + 10, (box?.y ?? 0) + 10]
    await own.mouse.dblclick(x, y)
    for (let times = 0; times < 8; times += 1) {
      await own.mouse.click(x, y)
      await passes(own, 250)
    }
    expect(await stillAsks()).toBe(true)
  })

  it('a page that comes to the front again has to be chosen in anew', async () => {
    await choose(page, 'asks')
    const allow = page.getByRole('button', { name: /Allow once/ })
    await allow.and(page.locator(':enabled')).waitFor()
    // What a popup of another site does that is opened and closed again.
    const cdp = await context.newCDPSession(page)
    await cdp.send('Emulation.setFocusEmulationEnabled', { enabled: false })
    const other = await hostile()
    await other.bringToFront()
    await page.getByText('To answer, click or tap this request').waitFor()
    await other.close()
    await page.bringToFront()
    await page.evaluate(() => window.focus())
    await types(page, BLIND, 120)
    expect(await stillAsks()).toBe(true)
    await cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true })
  })

  it('what a script makes up counts for nothing', async () => {
    const own = await context.newPage()
    await own.goto(`${await stage.address()}/#/s/asks`)
    await own.locator('.request').waitFor()
    await passes(own, QUIET_MS)
    await own.evaluate(() => {
      document.querySelector<HTMLElement>('[data-id="asks"]')?.click()
      document.querySelector<HTMLElement>('.request h2')?.click()
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown' }))
    })
    await passes(own, QUIET_MS)
    expect(await own.getByRole('button', { name: /Allow once/ }).isDisabled()).toBe(true)
  })
})

describe('[SH11] a phone', () => {
  it('allows nothing by any number of taps on one place', async () => {
    const phone = await stage.signedIn(PHONE)
    const ids = ['one', 'two', 'three', 'four', 'five', 'six']
    const hooks = await Promise.all(
      ids.map((id) => hookAsks(stage.home, id, 'Bash', { command: 'ls' })),
    )
    await phone.locator('[data-id="six"]').tap()
    const box = await phone.getByRole('button', { name: /Allow once/ }).boundingBox()
    await phone.goBack()
    await passes(phone, QUIET_MS)
    for (let times = 0; times < 4; times += 1) {
      await phone.touchscreen.tap((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
      await passes(phone, QUIET_MS)
    }
    const { sessions } = await stage.home.client.sessions()
    expect(
      sessions.filter(({ id, asks: open }) => ids.includes(id) && open.length === 1),
    ).toHaveLength(6)
    await phone.locator('.request h2').tap()
    await phone.getByRole('button', { name: /Allow once/ }).click()
    await phone.getByText('allowed Bash from here').waitFor()
    for (const one of hooks) one.end()
    await phone.context().close()
  })
})

describe('[SH11] [SH12] the way of its user', () => {
  it('chooses the row, reads, and presses y', async () => {
    const own = await context.newPage()
    await own.goto(await stage.address())
    await own.locator('[data-id="asks"]').waitFor()
    await passes(own, QUIET_MS)
    await own.keyboard.press('y')
    await own.getByText('choose the session first').first().waitFor()
    expect(await stillAsks()).toBe(true)
    await choose(own, 'asks')
    await own
      .getByRole('button', { name: /Allow once/ })
      .and(own.locator(':enabled'))
      .waitFor()
    await own.keyboard.press('y')
    expect(JSON.parse(await hook.said).hookSpecificOutput.decision).toMatchObject({
      behavior: 'allow',
    })
  })
})
