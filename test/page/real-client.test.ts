import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'
import { hold, say, script, tool } from '../../lab/model/script.ts'
import { PERMISSION, TOUCH } from '../../lab/scripts/common.ts'
import { AnswerStage } from '../answer/on-stage.ts'
import { openBrowser } from '../support/browser.ts'
import { builtPage } from '../support/built-page.ts'
import { choose } from '../support/page-stage.ts'

const QUESTION = {
  questions: [
    {
      question: 'Which colour?',
      header: 'Colour',
      multiSelect: false,
      options: ['Red', 'Blue'].map((label) => ({ label, description: `the ${label}` })),
    },
  ],
}

const talk = script('page')
  .on('touch', TOUCH)
  .next(say('All done.'))
  .on('refuse', TOUCH)
  .next(say('Another way then.'))
  .on('ask', tool('AskUserQuestion', QUESTION))
  .next(say('Thank you.'))
  .on('local', TOUCH)
  .next(say('As you like.'))

let on: AnswerStage | undefined
let browser: Browser | undefined
afterEach(async () => {
  await browser?.close()
  browser = undefined
  await on?.end()
})

async function signedIn(stage: AnswerStage): Promise<Page> {
  browser ??= await openBrowser()
  const page = await (await browser.newContext()).newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  const { code, address } = await stage.daemon.browserCode()
  await page.goto(`${address}/#code=${code}`)
  await page.getByTestId('list').waitFor()
  return page
}

async function press(page: Page, session: string, name: string | RegExp): Promise<void> {
  await choose(page, session)
  await page.locator('.request').getByRole('button', { name, exact: true }).click()
}

it('[PG28] what the real client asks is answered from the page, and seen withdrawn', async () => {
  await builtPage()
  on = await AnswerStage.open(talk)
  const { client, session } = await on.claude()
  const page = await signedIn(on)
  const other = await signedIn(on)
  await page.locator(`[data-id="${session}"]`).waitFor()
  await choose(other, session)

  await on.asks(client, 'touch it', PERMISSION)
  await other.locator('.request').waitFor()
  await press(page, session, /Allow once/)
  await client.pane.sees(/All done\./)
  expect(existsSync(join(on.stage.place.project, 'made.txt'))).toBe(true)
  await other.locator('.request').waitFor({ state: 'detached' })

  await on.asks(client, 'refuse it', PERMISSION)
  await press(page, session, /^Deny/)
  await page.getByRole('textbox', { name: /Message to the agent/ }).fill('use another name')
  await page.getByRole('button', { name: 'Deny', exact: true }).click()
  await client.pane.sees(/Another way then/)
  expect(on.told()).toContain('use another name')

  await on.asks(client, 'ask me', /Enter to select/)
  await page.getByRole('radio', { name: /Blue/ }).check()
  await press(page, session, 'Answer')
  await client.pane.sees(/Thank you/)
  expect(on.told()).toContain('Blue')

  await on.asks(client, 'local it', PERMISSION)
  await page
    .locator('.request')
    .getByRole('button', { name: /Allow once/ })
    .waitFor()
  await client.answer(PERMISSION, 'Enter')
  await page.locator('.request').waitFor({ state: 'detached', timeout: 5_000 })
  await client.pane.sees(/As you like/)
})

it('[PG28] a plan of the real client is approved, the daemon restarted before', async () => {
  await builtPage()
  const plan = '# The plan\n\n1. Say hello.\n'
  on = await AnswerStage.open(
    script('plan')
      .on('plan', say('I plan.'), hold('plan'), tool('ExitPlanMode', { plan }))
      .next(say('I proceed.')),
  )
  const { client, session } = await on.claude(['--permission-mode', 'plan'])
  const page = await signedIn(on)
  await client.submit('plan it')
  await on.planWritten(client, plan)
  await on.vigil.run(['stop'])
  await page.getByText(/lost connection to the daemon/).waitFor()
  await on.vigil.status()
  await page.getByText(/lost connection to the daemon/).waitFor({ state: 'detached' })
  on.stage.model.release('plan')
  await on.asked(client, /Would you like to proceed\?/)
  await choose(page, session)
  await page.locator('.plan').getByRole('heading', { name: 'The plan' }).waitFor()
  await press(page, session, /Approve/)
  await client.pane.sees(/I proceed\./)
})
