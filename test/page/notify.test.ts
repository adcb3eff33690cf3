import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../support/daemon.ts'
import { asks, BUILD, PageFleet, stop } from '../support/page-fleet.ts'
import { PageStage, passes } from '../support/page-stage.ts'

const stage = new PageStage()
const fleet = new PageFleet(stage.home)
let page: Page

interface Told {
  readonly title: string
  readonly body: string
  closed: boolean
}

/** Passes everything on to the browser's own, and keeps what went by. */
function overhear(): void {
  const told: { title: string; body: string; closed: boolean }[] = []
  const own = window.Notification
  window.Notification = new Proxy(own, {
    construct(target, [title, options]) {
      const one = { title, body: options.body, closed: false }
      told.push(one)
      const shown = new target(title, options)
      const close = shown.close.bind(shown)
      shown.close = () => {
        one.closed = true
        close()
      }
      return shown
    },
  })
  Object.assign(window, { told })
}

const told = () => page.evaluate(() => (window as unknown as { told: Told[] }).told)

beforeAll(async () => {
  await stage.begin()
  page = await stage.open()
  await page.context().grantPermissions(['notifications'])
  await page.addInitScript(overhear)
  const { code } = await stage.home.client.browserCode()
  await page.goto(`${await stage.address()}/#code=${code}`)
  await fleet.tell('shop', 0, { hook_event_name: 'UserPromptSubmit', prompt: 'x' })
  await page.locator('[data-id="shop"]').waitFor()
})
afterAll(() => stage.end())

/** The window in front is another one. */
async function looksAway(away: boolean): Promise<void> {
  await page.evaluate((away) => {
    document.hasFocus = () => !away
    window.dispatchEvent(new Event(away ? 'blur' : 'focus'))
  }, away)
}

describe('notifications of the browser', () => {
  it('[PG11] are off until they are turned on, by a button', async () => {
    await looksAway(true)
    await fleet.tell('shop', 0, ...asks('Bash', BUILD))
    await page.locator('[data-id="shop"]').getByText('waiting').waitFor()
    await passes(page, 1_500)
    expect(await told()).toEqual([])
    await page.getByRole('button', { name: 'notifications' }).click()
    await page.locator('[aria-pressed="true"]', { hasText: 'notifications' }).waitFor()
  })

  it('[PG11] name the session that needs its user, and are retracted after that', async () => {
    await fleet.tell('bank', 0, ...asks('Bash', BUILD))
    await until('it is reported', async () => (await told()).length === 1)
    const [{ title, body } = { title: '', body: '' }] = await told()
    expect(title).toBe('◆ bank: waiting for permission')
    expect(body).toContain(BUILD.command)
    await fleet.tell('bank', 0, { hook_event_name: 'SessionEnd', reason: 'other' })
    await until('it is withdrawn', async () => (await told())[0]?.closed === true)
  })

  it('[PG11] say nothing while the page is looked at, nor of what was over at once', async () => {
    await fleet.tell('brief', 0, ...asks('Bash', BUILD), stop, {
      hook_event_name: 'UserPromptSubmit',
      prompt: 'y',
    })
    await looksAway(false)
    await fleet.tell('seen', 0, ...asks('Bash', BUILD))
    await page.locator('[data-id="seen"]').getByText('waiting').waitFor()
    await passes(page, 1_500)
    expect((await told()).map(({ title }) => title)).toEqual(['◆ bank: waiting for permission'])
  })
})
