import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hookAsks, type WaitingHook } from '../support/hook-asks.ts'
import { asks, PageFleet } from '../support/page-fleet.ts'
import { choose, PageStage, passes } from '../support/page-stage.ts'

const stage = new PageStage()
const fleet = new PageFleet(stage.home)
const HTML = '<img src=x onerror="window.hit=1"><script>window.hit=2</script>'
const ANSI = '\u001b[2J\u001b]52;c;aGk=\u0007'
const BIDI = 'safe\u202egnp.sh'
const ZERO = 'rm\u200b -rf'
const MEGABYTE = 'x'.repeat(1_000_000)
let page: Page
let hook: WaitingHook

const MARKDOWN = [
  HTML,
  '[a link](javascript:window.hit=3)',
  '[another](https://example.org/elsewhere)',
  '![pixel](https://example.org/pixel.png)',
  `${ANSI} ${BIDI} ${ZERO}`,
  '<a href="javascript:window.hit=4" onclick="window.hit=5">raw</a>',
  // Of what is longer the transcript's end holds no whole message.
  MEGABYTE.slice(0, 150_000),
].join('\n\n')

beforeAll(async () => {
  await stage.begin()
  page = await stage.signedIn()
  const transcript_path = fleet.transcript('hostile', ['first', MARKDOWN])
  const where = { cwd: `/home/ada/${BIDI}${HTML}`, transcript_path }
  const input = { command: `${ZERO} / ${BIDI} ${HTML} ${ANSI}\n${MEGABYTE}`, description: HTML }
  await fleet.tell('hostile', 1, ...asks('Bash', input).map((event) => ({ ...event, ...where })))
  await page.locator('[data-id="hostile"]').waitFor()
  hook = await hookAsks(stage.home, 'hostile', 'Bash', {
    ...input,
    command: input.command.slice(0, 9e4),
  })
  await choose(page, 'hostile')
  await page.locator('.request').waitFor()
  await page.locator('.said .markdown').first().waitFor()
})
afterAll(async () => {
  hook.end()
  await stage.end()
})

const text = () => page.locator('body').innerText()

describe('what an agent writes', () => {
  it('[VW29] the last messages are shown from the newest', async () => {
    const messages = page.locator('.said .message')
    expect(await messages.count()).toBe(2)
    expect(await messages.last().innerText()).toBe('first')
  })

  it('[PG20] runs nowhere, and makes no element', async () => {
    await passes(page, 300)
    expect(await page.evaluate(() => (window as unknown as { hit?: number }).hit)).toBeUndefined()
    expect(await page.locator('img, iframe, script:not([src])').count()).toBe(0)
    expect(await page.locator('[onclick], [onerror]').count()).toBe(0)
    expect(await text()).toContain('<script>window.hit=2</script>')
  })

  it('[PG20] has what is not seen in it shown by its number', async () => {
    const shown = await page.locator('.request').innerText()
    for (const code of ['U+200B', 'U+202E', 'U+001B', 'U+0007']) expect(shown).toContain(code)
    const hidden = await page.evaluate(() => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      return /[\u202e\u200b\u001b]/.test(document.body.innerText)
    })
    expect(hidden).toBe(false)
  })

  it('[PG21] leads only where it may, says where, and gives no one away', async () => {
    const links = await page
      .locator('.said a')
      .evaluateAll((all) =>
        all.map((link) => [link.getAttribute('href'), link.getAttribute('rel')]),
      )
    expect(links).toEqual([['https://example.org/elsewhere', 'noopener noreferrer']])
    expect(await page.locator('.said').innerText()).toContain('(example.org)')
    expect(await text()).toContain('javascript:window.hit=3')
  })

  it('[PG22] of any length is cut, and the rest is at hand', async () => {
    expect((await text()).length).toBeLessThan(60_000)
    const more = page.locator('.request .more')
    expect(await more.innerText()).toMatch(/more letters/)
    await more.click()
    expect((await page.locator('.request').innerText()).length).toBeGreaterThan(50_000)
  })

  it('[PG20] breaks no policy of the page', () => {
    expect(stage.troubles).toEqual([])
  })
})
