import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hookAsks, type WaitingHook } from '../support/hook-asks.ts'
import { BUILD, CHOICE, EDIT, PLAN, wholeFleet } from '../support/page-fleet.ts'
import { choose, PageStage, PHONE, passes } from '../support/page-stage.ts'

const stage = new PageStage()
const hooks: WaitingHook[] = []

const REQUESTS = [
  ['payments', 'Bash', BUILD],
  ['website', 'Edit', EDIT],
  ['importer', 'AskUserQuestion', CHOICE],
  ['shop-api', 'ExitPlanMode', PLAN],
] as const

beforeAll(async () => {
  await stage.begin()
  await wholeFleet(stage.home)
})
afterAll(async () => {
  for (const hook of hooks) hook.end()
  await stage.end()
})

/** What axe finds, by rule and place; its own script gets in past the policy by the debugger. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return await page.evaluate(async () => {
    interface Found {
      violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
    }
    const { axe } = window as unknown as { axe: { run(): Promise<Found> } }
    const { violations } = await axe.run()
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 120)} ${failureSummary}`),
    )
  })
}

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it('[PG12] a board has nothing that a screen reader or a weak eye stumbles over', async () => {
    const page = await stage.signedIn({ colorScheme })
    await page.locator('[data-id="payments"]').waitFor()
    expect(await violations(page)).toEqual([])
    await choose(page, 'parser')
    await page.keyboard.press('g')
    await page.keyboard.press('?')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('w')
    await page.getByText('What would change it').waitFor()
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })

  it('[PG12] nor a request of any kind, wide or on a phone', async () => {
    for (const place of [{}, PHONE]) {
      const page = await stage.signedIn({ ...place, colorScheme })
      await page.locator('[data-id="payments"]').waitFor()
      for (const [id, tool, input] of REQUESTS) {
        hooks.push(await hookAsks(stage.home, id, tool, input))
        await choose(page, id)
        await page.locator('.request .button').first().waitFor()
        await passes(page, 500)
        expect(await violations(page), id).toEqual([])
        if (place === PHONE) await page.goBack()
      }
      await page.context().close()
    }
  })

  it('[PG12] nor the way in', async () => {
    const page = await stage.open({ colorScheme })
    await page.goto(await stage.address())
    await page.getByText('vigil open').waitFor()
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })
})
