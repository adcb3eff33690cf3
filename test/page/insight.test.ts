import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvOf } from '../../src/insight/csv.ts'
import { headlineOf } from '../../src/view/insight.ts'
import { spanOf } from '../../src/view/loop.ts'
import { violations } from '../support/axe.ts'
import { DemoPage } from '../support/demo-page.ts'
import { PHONE } from '../support/page-stage.ts'

const demo = new DemoPage()
const ZONE = 'Europe/Berlin'

beforeAll(() => demo.begin(2))
afterAll(() => demo.end())

async function insightPage(options = {}) {
  const page = await demo.open('#/insight', { timezoneId: ZONE, ...options })
  await page.getByRole('button', { name: '30 days' }).click()
  await page.getByRole('heading', { name: 'Longest waits' }).waitFor()
  return page
}

describe('figures on the page', () => {
  it('[IN14][IN25] are those of the API, in the words of every surface', async () => {
    const page = await insightPage()
    const { totals, answers, byProject, byDay } = await demo.stage.client.insight('month', ZONE)
    const values = await page.locator('.headline .value').allInnerTexts()
    const expected = headlineOf(totals, answers).map(({ value }) => value)
    // The live ones work on meanwhile: seconds may differ, and nothing else does.
    expect(values.slice(3)).toEqual(expected.slice(3))
    expect(values.map((value) => value.replace(/\d+ s$/, ''))).toEqual(
      expected.map((value) => value.replace(/\d+ s$/, '')),
    )
    const projects = page.locator('.wide-card').filter({ hasText: 'Projects' })
    const names = await projects.locator('tbody td:first-child').allInnerTexts()
    expect(names.toSorted()).toEqual(byProject.map(({ project }) => project).toSorted())
    expect(await page.locator('.chart .recharts-bar-rectangle').count()).toBeGreaterThan(
      byDay.length,
    )
    await page.context().close()
  })

  it('[IN25] each chart has the same figures in a table', async () => {
    const page = await insightPage()
    const { byDay } = await demo.stage.client.insight('month', ZONE)
    const charts = page.locator('figure.chart')
    expect(await charts.count()).toBe(3)
    for (const chart of await charts.all()) {
      await chart.getByText('As a table').click()
      expect(await chart.locator('tbody tr').count()).toBeGreaterThan(20)
      expect(await chart.locator('.chart-field').getAttribute('aria-label')).toMatch(/\d/)
    }
    const row = charts.first().locator('tbody tr').nth(5)
    const [day, worked] = await row.locator('td').allInnerTexts()
    expect(worked).toBe(spanOf(byDay.find((one) => one.day === day)?.workedMs ?? -1))
    await page.context().close()
  })

  it('[IN25] today has its hours, and a week seven days', async () => {
    const page = await demo.open('#/insight')
    await page.getByRole('heading', { name: 'By the hour' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Day by day' }).count()).toBe(0)
    await page.getByRole('button', { name: '7 days' }).click()
    const days = page.getByRole('figure', { name: 'Day by day', exact: true })
    await days.getByText('As a table').click()
    await expect.poll(() => days.locator('tbody tr').count()).toBe(7)
    await page.context().close()
  })

  it('[IN11][IN25] a table is saved as a file', async () => {
    const page = await insightPage({ acceptDownloads: true })
    await page.locator('.files summary').click()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'days', exact: true }).click()
    const download = await saving
    expect(download.suggestedFilename()).toBe('vigil-month-days.csv')
    const text = readFileSync(await download.path(), 'utf8')
    const own = csvOf(await demo.stage.client.insight('month', ZONE), 'days')
    expect(text.split('\r\n').slice(0, 29)).toEqual(own.split('\r\n').slice(0, 29))
    await page.context().close()
  })
})

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it('[IN25] nothing that a screen reader or a weak eye stumbles over', async () => {
    for (const place of [{}, PHONE]) {
      const page = await insightPage({ colorScheme, ...place })
      expect(await violations(page)).toEqual([])
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(wide).toBeLessThanOrEqual(0)
      const fill = await page
        .locator('.recharts-bar-rectangle path')
        .first()
        .evaluate((bar) => getComputedStyle(bar).fill)
      expect(fill).toBe(colorScheme === 'light' ? 'rgb(47, 111, 214)' : 'rgb(116, 176, 255)')
      await page.context().close()
    }
    expect(demo.troubles).toEqual([])
  })
})
