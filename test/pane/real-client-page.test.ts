import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../lab/drive/client.ts'
import { hold, pause, say, script } from '../../lab/model/script.ts'
import { LoopStage } from '../loop/on-stage.ts'
import { openBrowser } from '../support/browser.ts'
import { builtPage } from '../support/built-page.ts'
import { QUIET_MS } from '../support/page-stage.ts'

const talk = script('panes in the page')
  .on('count the files', say('There are **three** of them:\n\n- `one`\n- `two`\n- `three`'))
  .on('think it over', pause(200), say('Let me see'), hold(), say('never said'))

describe('the real client’s pane in the page', () => {
  let stage: LoopStage
  let client: Client
  let session: string
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    await builtPage()
    stage = await LoopStage.open(talk)
    ;({ client, session } = await stage.claude())
    const { stdout } = await stage.vigil.run(['open', '--print'])
    const address = /http:\S+/.exec(stdout)?.[0] ?? ''
    browser = await openBrowser()
    page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' })
    await page.goto(address)
    await page.getByTestId('list').waitFor()
    await page.goto(`${new URL(address).origin}/#/s/${encodeURIComponent(session)}/screen`)
    await page.waitForTimeout(QUIET_MS)
    await page.locator('#session-name').click()
    await page.waitForTimeout(QUIET_MS)
  })
  afterAll(async () => {
    await browser?.close()
    await stage?.end()
  })

  const frame = () => page.frameLocator('.pane-frame')
  const shows = (text: string | RegExp) => frame().locator('.xterm-rows').getByText(text).first()

  it('[PA17] is typed into, shows the answer, and is interrupted', async () => {
    await shows('❯').waitFor()
    await page.getByRole('switch', { name: 'type into this terminal' }).click()
    await page.getByText(/typing allowed by /).waitFor()
    await frame().locator('.xterm-helper-textarea').focus()
    await page.keyboard.type('count the files')
    await shows('count the files').waitFor()
    await page.keyboard.press('Enter')
    await client.pane.sees(/three/)
    await shows('There are').waitFor()
    await stage.vigil.says({ id: session }, { state: 'idle' })
    await page.getByLabel('a prompt to this agent').fill('think it over')
    await page.getByRole('button', { name: 'send' }).click()
    await shows('Let me see').waitFor()
    mkdirSync('.cache/screenshots', { recursive: true })
    await page.screenshot({ path: join('.cache/screenshots', 'pane-real-client.png') })
    const stop = page.getByRole('button', { name: 'interrupt' })
    await stop.click()
    await client.pane.sees(/Interrupted/)
    await shows(/Interrupted/).waitFor()
    expect(await page.getByText(/typing allowed by /).count()).toBe(1)
  })
})
