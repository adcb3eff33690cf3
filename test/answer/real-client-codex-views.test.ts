import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'
import type { Pane } from '../../lab/drive/pane.ts'
import { until } from '../../lab/until.ts'
import { connect } from '../../src/client/client.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { browserBy } from '../support/browser.ts'
import { builtPage } from '../support/built-page.ts'
import { CHROMIUM } from '../support/chromium.ts'
import type { Said } from '../support/codex/model.ts'
import { CodexStage, NO_CODEX } from '../support/codex/stage.ts'
import { describeUnless } from '../support/needs.ts'
import { choose } from '../support/page-stage.ts'

const PERMISSION = /Would you like to run/
const TOUCH: Said = { text: 'Now.', command: 'touch made', asks: true }
const AGAIN: Said = { text: 'Now.', command: 'touch other', asks: true }
const QUESTION = {
  ...{ id: 'colour', header: 'Colour', question: 'Which colour?' },
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ],
}
const ASK: Said = { call: { name: 'request_user_input', args: { questions: [QUESTION] } } }
/** A dialog's buttons count for nothing in its first moment. */
const QUIET_MS = 900

let on: CodexStage
let browser: Browser | undefined
afterEach(async () => {
  await browser?.close()
  browser = undefined
  await on?.vigil('stop').catch(() => {})
  await on?.end()
})

async function started(): Promise<Pane> {
  on = await CodexStage.open([TOUCH, { text: 'Ran.' }, AGAIN])
  await on.vigil('answers', 'on')
  return on.codex()
}

const made = (file: string) => existsSync(join(on.place.project, file))

/** The client asks its model once or twice, as the message comes before or after its request. */
async function denied(): Promise<void> {
  await until('the message', () => on.model.asked.at(-1)?.includes('use make instead'))
  await on.says({ state: 'idle' })
  expect(made('other')).toBe(false)
  on.model.add([ASK, { text: 'Thanks.' }])
}

/** Its plan mode, in which it may ask. */
async function asksInPlanMode(pane: Pane): Promise<void> {
  await pane.press('BTab')
  await pane.sees(/Plan mode/)
  await on.submit(pane, 'ask me')
}

describeUnless(NO_CODEX)('what the real Codex asks', () => {
  it('[AN25][CX43] is answered in the terminal view', async () => {
    const pane = await started()
    await on.vigil('status')
    const view = await on.openPane(on.command())
    await on.submit(pane, 'first')
    await view.sees(/\$ touch made[\s\S]*y allow/)
    await sleep(QUIET_MS)
    await view.press('y')
    await pane.sees(/Ran\./)
    expect(made('made')).toBe(true)

    await on.submit(pane, 'second')
    await view.sees(/\$ touch other[\s\S]*d deny/)
    await sleep(QUIET_MS)
    await view.press('d')
    await view.sees(/deny, with a message to the agent/)
    await view.type('use make instead')
    await view.press('Enter')
    await denied()

    await asksInPlanMode(pane)
    await view.sees(/y answer/)
    await sleep(QUIET_MS)
    await view.press('y')
    await view.sees(/2\. Blue: cold/)
    await view.press('2')
    await pane.sees(/Thanks\./)
    expect(on.model.asked.at(-1)).toContain('Blue')
  })

  it('[PG28][CX43] is answered on the page', async () => {
    await builtPage()
    const pane = await started()
    await on.vigil('status')
    const daemon = connect(foldersOf({ VIGIL_HOME: join(on.place.root, 'vigil') }))
    browser = await browserBy(on.inside(CHROMIUM))
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const { code, address } = await daemon.browserCode()
    await page.goto(`${address}/#code=${code}`)
    await page.getByTestId('list').waitFor()
    const request = page.locator('.request')

    await on.submit(pane, 'first')
    const { id } = await on.says({ state: 'waiting', for: 'permission' })
    await choose(page, id)
    const allow = request.getByRole('button', { name: /Allow once/ })
    // A press counts only after a pause without any.
    await until('the request to take an answer', async () => {
      await sleep(QUIET_MS)
      await request.getByText('touch made').first().click()
      return allow.isEnabled()
    })
    await allow.click()
    await until('the file', () => made('made'))
    await pane.sees(/Ran\./)
    await request.waitFor({ state: 'detached' })

    await on.submit(pane, 'second')
    await pane.sees(PERMISSION)
    await request.getByRole('button', { name: /^Deny/ }).click()
    await page.getByRole('textbox', { name: /Message to the agent/ }).fill('use make instead')
    await page.getByRole('button', { name: 'Deny', exact: true }).click()
    await denied()

    await asksInPlanMode(pane)
    await page.getByRole('radio', { name: /Blue/ }).check()
    await request.getByRole('button', { name: 'Answer', exact: true }).click()
    await pane.sees(/Thanks\./)
    expect(on.model.asked.at(-1)).toContain('Blue')
  })
})
