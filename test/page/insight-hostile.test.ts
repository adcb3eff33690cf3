import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PageFleet } from '../support/page-fleet.ts'
import { PageStage, passes } from '../support/page-stage.ts'

const stage = new PageStage()
const fleet = new PageFleet(stage.home)
const HTML = '<img src=x onerror="window.hit=1"><script>window.hit=2</script>'
const BIDI = 'safe\u202egnp.sh\u200b'
const ANSI = '\u001b[2J'
const NAME = `${BIDI}${HTML}`
let page: Page

beforeAll(async () => {
  await stage.begin()
  const cwd = `/home/ada/${NAME.replaceAll('/', '∕')}`
  const input = {
    command: `${ANSI}${HTML}`,
    description: `${ANSI}${BIDI}${HTML}${'x'.repeat(5_000)}`,
  }
  const tool = { tool_name: `Bash${HTML}`, tool_use_id: 't1', tool_input: input, cwd }
  await fleet.tell(
    'hostile',
    60,
    { hook_event_name: 'UserPromptSubmit', prompt: HTML, cwd },
    { hook_event_name: 'SubagentStart', agent_id: 'a1', agent_type: `${BIDI}${HTML}`, cwd },
    { hook_event_name: 'PreToolUse', ...tool },
    { hook_event_name: 'PermissionRequest', ...tool },
  )
  page = await stage.signedIn()
})
afterAll(() => stage.end())

async function expectHarmless(): Promise<void> {
  await passes(page, 300)
  expect(await page.evaluate(() => (window as unknown as { hit?: number }).hit)).toBeUndefined()
  expect(await page.locator('main img, main iframe, main script').count()).toBe(0)
  expect(await page.locator('[onerror], [onclick]').count()).toBe(0)
  const shown = await page.locator('main').innerText()
  expect(shown).toContain('<img src=x onerror="window.hit=1">')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(/[\u0000-\u0008\u001b\u202a-\u202e\u200b]/.exec(shown)).toBeNull()
  expect(stage.troubles).toEqual([])
}

it('[IN25] a folder of any name is text among the figures', async () => {
  await page.goto(`${await stage.address()}/#/insight`)
  await page.getByRole('heading', { name: 'Longest waits' }).waitFor()
  await expectHarmless()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wide).toBeLessThanOrEqual(0)
})

it('[IN24] tools, subagents and what they are called with are text over time', async () => {
  await page.goto(`${await stage.address()}/#/s/hostile/timeline`)
  await page.locator('.piece.tone-tool').first().waitFor()
  await page.locator('.piece.tone-tool').first().click()
  await page.getByText('As a table').click()
  await expectHarmless()
  const texts = await page.locator('.lanes').allTextContents()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(/[\u0000-\u0008\u001b\u202a-\u202e\u200b]/.exec(texts.join())).toBeNull()
})
