import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hookAsks, type WaitingHook } from '../support/hook-asks.ts'
import { BUILD, CHOICE, EDIT, PLAN, wholeFleet } from '../support/page-fleet.ts'
import { PageStage, PHONE } from '../support/page-stage.ts'

/** For people to look at; not part of the project. */
const OUT = fileURLToPath(new URL('../../.cache/looks/', import.meta.url))

const stage = new PageStage()
const hooks: WaitingHook[] = []

const SUGGESTED = [
  {
    type: 'addRules',
    rules: [{ toolName: 'Bash', ruleContent: 'npm run build:*' }],
    behavior: 'allow',
    destination: 'localSettings',
  },
]

const REQUESTS = [
  ['payments', 'Bash', BUILD, SUGGESTED],
  ['website', 'Edit', EDIT, []],
  ['importer', 'AskUserQuestion', CHOICE, []],
  ['shop-api', 'ExitPlanMode', PLAN, []],
] as const

beforeAll(async () => {
  mkdirSync(OUT, { recursive: true })
  await stage.begin()
  await wholeFleet(stage.home)
  const page = await stage.signedIn()
  await page.locator('[data-id="payments"]').waitFor()
  for (const [id, tool, input, suggestions] of REQUESTS)
    hooks.push(await hookAsks(stage.home, id, tool, input, suggestions))
})
afterAll(async () => {
  for (const hook of hooks) hook.end()
  await stage.end()
})

async function taken(page: Page, name: string): Promise<void> {
  const picture = await page.screenshot({ path: join(OUT, `${name}.png`) })
  expect(picture.length).toBeGreaterThan(10_000)
}

/** Past the moment in which a request cannot be answered yet, when its buttons are grey. */
const SETTLED_MS = 600

it.each([
  ['light', 'wide'],
  ['light', 'phone'],
  ['dark', 'wide'],
  ['dark', 'phone'],
] as const)('every view is drawn in %s colours, %s', async (colorScheme, width) => {
  const page = await stage.signedIn({ colorScheme, ...(width === 'phone' && PHONE) })
  const name = (view: string) => `${view}-${width}-${colorScheme}`
  const address = await stage.address()
  await page.locator('[data-id="payments"]').waitFor()
  // On a phone the list stands alone.
  if (width === 'wide') await page.locator('.request .button').first().waitFor()
  await page.waitForTimeout(SETTLED_MS)
  await taken(page, name('board'))
  await page.route('**/explain', () => {})
  await page.goto(`${address}/#/s/website`)
  await page.locator('[aria-busy="true"]').first().waitFor()
  await page.waitForTimeout(SETTLED_MS)
  await taken(page, name('loading'))
  await page.unrouteAll()
  for (const [id] of REQUESTS) {
    await page.goto(`${address}/#/s/${id}`)
    await page.locator('.request .button').first().waitFor()
    await page.waitForTimeout(SETTLED_MS)
    await taken(page, name(`asks-${id}`))
  }
  for (const tab of ['timeline', 'why']) {
    await page.goto(`${address}/#/s/payments/${tab}`)
    await page.locator('.panel .card').first().waitFor()
    await page.waitForTimeout(SETTLED_MS)
    await taken(page, name(tab))
  }
  await page.goto(`${address}/#/insight`)
  await page.locator('.whole > *').first().waitFor()
  await page.waitForTimeout(SETTLED_MS)
  await taken(page, name('insight'))
  await page.goto(`${address}/#/`)
  await page.keyboard.press('?')
  await page.locator('dialog[open]').waitFor()
  await taken(page, name('keys'))
  await page.context().close()
})

it.each([
  ['light', 'wide'],
  ['dark', 'phone'],
] as const)('and the way in, in %s colours, %s', async (colorScheme, width) => {
  const page = await stage.open({ colorScheme, ...(width === 'phone' && PHONE) })
  await page.goto(await stage.address())
  await page.getByText('vigil open').waitFor()
  await taken(page, `sign-in-${width}-${colorScheme}`)
  await page.context().close()
})

it('nothing was wrong in any console', () => {
  expect(stage.troubles).toEqual([])
})
