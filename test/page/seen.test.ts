import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hookAsks, type WaitingHook } from '../support/hook-asks.ts'
import { asks, PageFleet } from '../support/page-fleet.ts'
import { choose, PageStage, PHONE, passes } from '../support/page-stage.ts'

const stage = new PageStage()
const fleet = new PageFleet(stage.home)
const hooks: WaitingHook[] = []
let page: Page

beforeAll(async () => {
  await stage.begin()
  page = await stage.signedIn()
  await fleet.tell('anybody', 0, { hook_event_name: 'SessionStart', source: 'startup' })
  await page.locator('[data-id="anybody"]').waitFor()
})
afterEach(() => {
  for (const hook of hooks.splice(0)) hook.end()
})
afterAll(() => stage.end())

const lines = (count: number, of = 'line') =>
  Array.from({ length: count }, (_, at) => `echo ${of} ${at + 1}`).join('\n')

async function asked(id: string, tool: string, input: Record<string, unknown>, on = page) {
  await fleet.tell(id, 0, ...asks(tool, input).slice(0, 2))
  const hook = await hookAsks(stage.home, id, tool, input)
  hooks.push(hook)
  await choose(on, id)
  await on.locator('.request').waitFor()
  return hook
}

const allow = (on = page) => on.getByRole('button', { name: /Allow once|Approve/ })
const toEnd = (on = page) =>
  on
    .locator('.subject')
    .evaluate((box) => box.lastElementChild?.scrollIntoView({ block: 'center' }))

const rowsBelow = async () =>
  Number.parseInt((await page.locator('.below').innerText()).replace(/\D*/, ''), 10)

/** Long enough to be ready, were it not for what was not seen. */
const READY_MS = 1_000

describe('[SH9] a request that does not fit', () => {
  it('of 200 lines is allowed once its end was in sight, and denied before', async () => {
    const hook = await asked('long', 'Bash', { command: lines(200), sudo: true })
    await page.locator('.why-not').getByText('To allow it, scroll to its end first.').waitFor()
    await passes(page, READY_MS)
    expect(await rowsBelow()).toBeGreaterThan(150)
    expect(await allow().isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: /^Deny/ }).isEnabled()).toBe(true)
    await page.keyboard.press('y')
    await passes(page, 300)
    expect((await stage.home.client.session('long'))?.asks).toHaveLength(1)
    await toEnd()
    await page.locator('.why-not:empty').waitFor({ state: 'attached' })
    await page.locator('.warns').getByText('sudo').waitFor()
    expect(await page.locator('.below').count()).toBe(0)
    await allow().click()
    expect(await hook.said).toContain('allow')
  })

  it('with a folded part is allowed once that was unfolded and seen', async () => {
    await asked('folded', 'Bash', { command: `echo ${'x'.repeat(6_000)}`, host: 'prod' })
    await page.locator('.why-not').getByText('To allow it, show it in full first.').waitFor()
    await toEnd()
    await passes(page, READY_MS)
    expect(await allow().isDisabled()).toBe(true)
    await page.getByRole('button', { name: /more letters/ }).click()
    await toEnd()
    await allow().and(page.locator(':enabled')).waitFor()
  })

  it('is unfolded by the button beside the reason, and still has to be seen', async () => {
    const command = `${lines(400)}\n# ${'x'.repeat(6_000)}`
    await asked('button', 'Bash', { command, host: 'prod' })
    await page.getByRole('button', { name: 'Show it in full' }).click()
    await page.locator('.why-not').getByText('To allow it, scroll to its end first.').waitFor()
    expect(await page.getByRole('button', { name: /more letters/ }).count()).toBe(0)
    expect(await allow().isDisabled()).toBe(true)
    await toEnd()
    await allow().and(page.locator(':enabled')).waitFor()
  })

  it.each([
    ['a plan', 'ExitPlanMode', { plan: `# Plan\n\n${lines(150).replaceAll('\n', '\n\n')}` }],
    ['a change', 'Edit', { file_path: '/f', old_string: lines(120), new_string: lines(120, 'b') }],
    ['a value', 'mcp__x', { body: { deep: { list: lines(120).split('\n') } } }],
  ])('%s', async (name, tool, input) => {
    const id = name.replace('a ', '')
    await asked(id, tool, input)
    await passes(page, READY_MS)
    expect(await allow().isDisabled()).toBe(true)
    await toEnd()
    await allow().and(page.locator(':enabled')).waitFor()
  })

  it('on a phone, where the buttons stand over its foot', async () => {
    const phone = await stage.signedIn(PHONE)
    await asked('phone', 'Bash', { command: lines(200) }, phone)
    await phone.locator('.request h2').tap()
    await passes(phone, READY_MS)
    expect(await allow(phone).isDisabled()).toBe(true)
    await toEnd(phone)
    await allow(phone).and(phone.locator(':enabled')).waitFor()
    await phone.context().close()
  })

  it('a plan that Markdown would shorten is shown as plain text', async () => {
    const plan = 'Read [the docs](https://example.org/run?curl=evil "and more").'
    await asked('links', 'ExitPlanMode', { plan })
    await page.locator('.subject code').getByText('run?curl=evil').waitFor()
    await allow().and(page.locator(':enabled')).waitFor()
  })
})

it('[SH9] no long word pushes a value, a suggestion or the tool out of sight', async () => {
  const long = 'x'.repeat(300)
  const rules = [{ toolName: 'Bash', ruleContent: long }, { toolName: 'Write' }]
  const offer = { type: 'addRules', behavior: 'allow', destination: 'userSettings', rules }
  await fleet.tell('words', 0, ...asks('mcp__x', {}).slice(0, 2))
  const input = { command: 'ls', [long]: 'the value' }
  hooks.push(await hookAsks(stage.home, 'words', `mcp__${long}`, input, [offer]))
  await choose(page, 'words')
  await page.locator('.request').waitFor()
  const places = await page.locator('.request').evaluate((card) => {
    const edge = card.getBoundingClientRect().right
    return ['h2', '.fields dd', '.acts .button', '.acts bdi'].flatMap((what) =>
      Array.from(card.querySelectorAll(what), (one) => {
        const range = document.createRange()
        range.selectNodeContents(one)
        const { right, width } = range.getBoundingClientRect()
        return { what, isInSight: right <= edge, isNarrow: width < 40 }
      }),
    )
  })
  expect(places.length).toBeGreaterThan(5)
  expect(places.filter(({ isInSight, isNarrow }) => !isInSight || isNarrow)).toEqual([])
})
