import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { until } from '../support/daemon.ts'
import { DemoPage } from '../support/demo-page.ts'
import { PHONE } from '../support/page-stage.ts'

const demo = new DemoPage()
let id = ''

beforeAll(async () => {
  await demo.begin(4)
  const { client } = demo.stage
  await until('it waits', async () => (await sessionOf('website'))?.asks.length === 1)
  const { id: waiting = '', asks = [] } = (await sessionOf('website')) ?? {}
  id = waiting
  // Long enough to be seen beside the minutes before.
  await sleep(6_000)
  await client.answer(asks[0] ?? '', { choice: 'deny', where: 'cli' })
  await until('it is idle', async () => (await sessionOf('website'))?.state === 'idle')
})
afterAll(() => demo.end())

async function sessionOf(project: string) {
  const { sessions } = await demo.stage.client.sessions()
  return sessions.find((session) => session.project === project)
}

async function timelinePage(options = {}): Promise<Page> {
  const page = await demo.open(`#/s/${id}/timeline`, options)
  await page.locator('.piece.tone-waiting').first().waitFor()
  return page
}

/** The stretch of time that is in sight. */
async function sightOf(page: Page) {
  const { from, to } = await page
    .locator('.lane-field')
    .evaluate((field) => ({ ...(field as HTMLElement).dataset }) as { from: string; to: string })
  return { from: Number(from), length: Number(to) - Number(from) }
}

const WAIT = '.piece.tone-waiting rect'

describe('a session over time', () => {
  it('[IN24] has the lanes of the API, and a table that says the same', async () => {
    const page = await timelinePage()
    const names = await page.locator('.lane-names li').allInnerTexts()
    expect(names.slice(0, 4)).toEqual(['state', 'turns', 'waiting', 'tools'])
    await page.getByText('As a table').click()
    const rows = await page.locator('.as-table tbody tr').allInnerTexts()
    expect(rows.join('\n')).toContain('waiting for question')
    const words = await page.locator('.piece title').allTextContents()
    expect(rows.length).toBeGreaterThanOrEqual(words.length)
    await page.context().close()
  })

  it('[IN24] what is chosen says why, by hand and by keys', async () => {
    const page = await timelinePage()
    await page.locator(WAIT).first().click()
    const chosen = page.locator('.chosen-span')
    expect(await chosen.innerText()).toContain('waiting for question')
    expect(await chosen.locator('.rule').innerText()).toMatch(/^[A-Z]+\d+$/)
    expect(await chosen.locator('.signals li').count()).toBeGreaterThan(0)
    await page.locator('.timeline-field').focus()
    await page.keyboard.press('ArrowUp')
    expect(await chosen.innerText()).toContain('working')
    await page.keyboard.press('ArrowDown')
    expect(await chosen.innerText()).toContain('waiting for question')
    await page.context().close()
  })

  it('[IN24] is zoomed and moved by buttons, keys, wheel and drag', async () => {
    const page = await timelinePage()
    const length = async () => (await sightOf(page)).length
    const whole = await length()
    await page.getByRole('button', { name: 'zoom in' }).click()
    await expect.poll(length).toBeLessThan(whole * 0.6)
    await page.getByRole('button', { name: 'show all' }).click()
    await expect.poll(length).toBeGreaterThanOrEqual(whole)

    await page.locator('.timeline-field').focus()
    for (const key of ['+', '+']) await page.keyboard.press(key)
    await expect.poll(length).toBeLessThan(whole * 0.4)
    const near = await sightOf(page)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(async () => (await sightOf(page)).from).toBeLessThan(near.from)
    await page.keyboard.press('-')
    await expect.poll(length).toBeGreaterThan(near.length * 1.5)
    await page.keyboard.press('Home')
    await expect.poll(length).toBeGreaterThanOrEqual(whole)
    // The board's own keys are not meant: the same session is shown still.
    expect(page.url()).toContain(id)

    // The whole grows with the session; a piece of it stands still.
    const all = await length()
    await page.keyboard.press('+')
    await expect.poll(length).toBeLessThan(all * 0.8)
    const field = page.locator('.lane-field')
    const place = { x: 300, y: 20 }
    await field.hover({ position: place })
    const box = await field.boundingBox()
    const before = await sightOf(page)
    const under = ({ from, length: ms }: typeof before) => from + (place.x / (box?.width ?? 1)) * ms
    await page.keyboard.down('Control')
    for (let i = 0; i < 4; i += 1) await page.mouse.wheel(0, -120)
    await page.keyboard.up('Control')
    await expect.poll(length).toBeLessThan(before.length * 0.5)
    const zoomed = await sightOf(page)
    // The moment under the hand stays under it.
    expect(Math.abs(under(zoomed) - under(before))).toBeLessThan(before.length * 0.05)

    const [x, y] = [(box?.x ?? 0) + 300, (box?.y ?? 0) + 60]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 150, y, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => (await sightOf(page)).from).toBeLessThan(zoomed.from)
    expect((await sightOf(page)).length).toBeCloseTo(zoomed.length, 0)
    await page.context().close()
  })

  it('[IN24] two fingers zoom it on a phone, and the page does not get wider', async () => {
    const page = await timelinePage(PHONE)
    const before = await sightOf(page)
    const field = await page.locator('.lane-field').boundingBox()
    const [x, y] = [(field?.x ?? 0) + 60, (field?.y ?? 0) + 30]
    const cdp = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
      cdp.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          type === 'touchEnd'
            ? []
            : [
                { x: x - apart / 2, y, id: 0 },
                { x: x + apart / 2, y, id: 1 },
              ],
      })
    await touch('touchStart', 30)
    for (const apart of [40, 60, 80, 100]) await touch('touchMove', apart)
    await touch('touchEnd', 0)
    await expect.poll(async () => (await sightOf(page)).length).toBeLessThan(before.length * 0.8)
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0)
    await page.context().close()
  })

  it('[IN24] grows while the session goes on', async () => {
    const page = await timelinePage()
    const end = () => page.locator('.timeline .card-head p').innerText()
    const before = await end()
    await expect.poll(end, { timeout: 15_000 }).not.toBe(before)
    await page.context().close()
  })

  it.each(['light', 'dark'] as const)(
    '[IN24] nothing to stumble over in %s colours',
    async (colorScheme) => {
      const page = await timelinePage({ colorScheme })
      await page.locator(WAIT).first().click()
      await page.getByText('As a table').click()
      expect(await violations(page)).toEqual([])
      await page.context().close()
      expect(demo.troubles).toEqual([])
    },
  )
})
