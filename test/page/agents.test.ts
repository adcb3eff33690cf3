import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fableIn } from '../agents/teller.ts'
import { PageStage } from '../support/page-stage.ts'

const stage = new PageStage()
let page: Page

beforeAll(async () => {
  fableIn(stage.home)
  await stage.begin()
  page = await stage.signedIn()
})
afterAll(() => stage.end())

it('[AG9] an agent that the page has never heard of is shown, with what it asks', async () => {
  const told = { tale: 'told', place: '/home/ada/tales' }
  stage.home.write({ ...told, happened: 'turn.begin' }, { agent: 'fable' })
  const row = page.locator('[data-id="told"]')
  await row.getByText('working').waitFor()
  const asked = { happened: 'ask', tool: 'quill', what: 'write it down' }
  stage.home.write({ ...told, ...asked }, { agent: 'fable', asks: 1 })
  await row.getByText('waiting').waitFor()
  await row.click()
  const request = page.locator('.request')
  await request.getByText('quill').first().waitFor()
  // Drawn as its agent says: the field is the command.
  expect(await request.locator('.block-command').innerText()).toContain('write it down')
  expect(stage.troubles).toEqual([])
})
