import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asks, BUILD, PageFleet, stop } from '../support/page-fleet.ts'
import { PageStage } from '../support/page-stage.ts'

const stage = new PageStage()
const fleet = new PageFleet(stage.home)
let page: Page

beforeAll(async () => {
  await stage.begin()
  await fleet.tell('payments', 9, { hook_event_name: 'UserPromptSubmit', prompt: 'x' })
  page = await stage.signedIn()
  await page.locator('[data-id="payments"]').waitFor()
})
afterAll(() => stage.end())

describe('a daemon that ends under the page', () => {
  it('[PG4] is said to be lost, and what was known stays', async () => {
    await stage.stopDaemon()
    await page.getByText(/lost connection to the daemon \d+ s ago, reconnecting/).waitFor()
    expect(await page.title()).toBe('… vigil')
    await page.locator('[data-id="payments"]').waitFor()
  })

  it('[PG4] comes back by itself, and what happened meanwhile is reported', async () => {
    await stage.restart()
    await fleet.tell('payments', 0, ...asks('Bash', BUILD))
    await page.locator('[data-id="payments"]').getByText('waiting for permission').waitFor()
    await page.getByText(/lost connection to the daemon/).waitFor({ state: 'detached' })
    await page
      .getByText(/connected to the daemon again; meanwhile|payments: waiting/)
      .first()
      .waitFor()
    // Other agents of the machine may wait, too.
    expect(await page.title()).toMatch(/^\(\d+\) vigil$/)
  })

  it('[PG4] and changes go on being shown', async () => {
    await fleet.tell('payments', 0, stop)
    await page.locator('[data-id="payments"]').getByText(/idle/).waitFor()
  })
})
