import { text } from 'node:stream/consumers'
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

/** The figures of a month, and what the API says they are: at one moment, for agents work on. */
async function insightPage(options = {}) {
  const page = await demo.open('#/insight', { timezoneId: ZONE, ...options })
  const insight = await demo.stage.client.insight('month', ZONE)
  await page.route('**/v1/insight?period=month*', (route) => route.fulfill({ json: insight }))
  await page.getByRole('button', { name: '30 days' }).click()
  // Until the answer comes the figures of today are shown.
  await page.getByRole('heading', { name: 'Day by day' }).waitFor()
  return { page, insight }
}

describe('figures on the page', () => {
  it('[IN14][IN25] are those of the API, in the words of every surface', async () => {
    const { page, insight } = await insightPage()
    const { totals, answers, byProject, byDay } = insight
    const values = await page.locator('.headline .value').allInnerTexts()
    expect(values).toEqual(headlineOf(totals, answers).map(({ value }) => value))
    const projects = page.locator('.wide-card').filter({ hasText: 'Projects' })
    const names = await projects.locator('tbody td:first-child').allInnerTexts()
    expect(names.toSorted()).toEqual(byProject.map(({ project }) => project).toSorted())
    expect(await page.locator('.chart .recharts-bar-rectangle').count()).toBeGreaterThan(
      byDay.length,
    )
    await page.context().close()
  })

  it('[IN25] every label of an axis is whole and in one line', async () => {
    const { page } = await insightPage()
    const cut = await page.locator('.chart svg').evaluateAll((pictures) =>
      pictures.flatMap((picture) => {
        const field = picture.getBoundingClientRect()
        return [...picture.querySelectorAll('.recharts-yAxis text')]
          .filter((label) => {
            const { top, height } = label.getBoundingClientRect()
            return top < field.top || height > 20
          })
          .map((label) => label.textContent)
      }),
    )
    expect(cut).toEqual([])
    await page.context().close()
  })

  it('[IN25] each chart has the same figures in a table', async () => {
    const { page, insight } = await insightPage()
    const charts = page.locator('figure.chart')
    expect(await charts.count()).toBe(3)
    for (const chart of await charts.all()) {
      await chart.getByText('As a table').click()
      expect(await chart.locator('tbody tr').count()).toBeGreaterThan(20)
      expect(await chart.locator('.chart-field').getAttribute('aria-label')).toMatch(/\d/)
    }
    const row = charts.first().locator('tbody tr').nth(5)
    const [day, worked] = await row.locator('td').allInnerTexts()
    expect(worked).toBe(spanOf(insight.byDay.find((one) => one.day === day)?.workedMs ?? -1))
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
    const { page, insight } = await insightPage({ acceptDownloads: true })
    await page.locator('.files summary').click()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'days', exact: true }).click()
    const download = await saving
    expect(download.suggestedFilename()).toBe('vigil-month-days.csv')
    expect(await text(await download.createReadStream())).toBe(csvOf(insight, 'days'))
    await page.context().close()
  })
})

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it('[IN25] nothing that a screen reader or a weak eye stumbles over', async () => {
    for (const place of [{}, PHONE]) {
      const { page } = await insightPage({ colorScheme, ...place })
      expect(await violations(page)).toEqual([])
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(wide).toBeLessThanOrEqual(0)
      // A bar that is just drawn anew has no style.
      const bar = page.locator('.recharts-bar-rectangle path').first()
      const fill = () => bar.evaluate((one) => getComputedStyle(one).fill)
      const wanted = colorScheme === 'light' ? 'rgb(47, 111, 214)' : 'rgb(116, 176, 255)'
      await expect.poll(fill, { timeout: 20_000 }).toBe(wanted)
      await page.context().close()
    }
    expect(demo.troubles).toEqual([])
  })
})
