import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../support/daemon.ts'
import { PageFleet, stop } from '../support/page-fleet.ts'
import { choose, PageStage } from '../support/page-stage.ts'

const stage = new PageStage()
const fleet = new PageFleet(stage.home)
const loopOf = () => stage.home.client.loop('grind')
let page: Page

beforeAll(async () => {
  await stage.begin()
  const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'x' }
  await fleet.tell('grind', 0, prompt, stop, prompt)
  await stage.home.client.startLoop({
    ...{ session: 'grind', mode: 'loop', prompt: 'mend the engine', promptFile: null, max: 10 },
    ...{ item: null, worktree: null, source: null, filter: null, until: 'npm test' },
    ...{ forMs: null, budgetUsd: 5, patience: 0 },
  })
  page = await stage.signedIn()
  await choose(page, 'grind')
})
afterAll(() => stage.end())

describe('a loop on the page', () => {
  it('[PG19] is shown with what it is for, its limits and every step', async () => {
    await page.getByText('mend the engine', { exact: true }).waitFor()
    await page.getByText(/until npm test/).waitFor()
    await page.locator('.step', { hasText: 'started' }).waitFor()
    expect(await page.locator('[data-id="grind"]').innerText()).toContain('loop 0/10')
  })

  it('[PG19] is paused, and goes on', async () => {
    await page.getByRole('button', { name: 'Pause' }).click()
    await until('it is held', async () => (await loopOf())?.hold?.kind === 'paused')
    await page.getByRole('button', { name: 'Resume' }).click()
    await until('it goes on', async () => (await loopOf())?.hold === null)
  })

  it('[PG19] is stopped only by the second of two clicks', async () => {
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    expect((await loopOf())?.open).toBe(true)
    await page.getByRole('button', { name: 'End loop' }).click()
    await until('it is over', async () => (await loopOf())?.open !== true)
  })
})
