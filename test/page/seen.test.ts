import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hookAsks, type WaitingHook } from '../support/hook-asks.ts'
import { asks, PageFleet } from '../support/page-fleet.ts'
import { PageStage, PHONE, passes } from '../support/page-stage.ts'

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
  await on.locator(`[data-id="${id}"]`).click()
  await on.locator('.request').waitFor()
  return hook
}

const allow = (on = page) => on.getByRole('button', { name: /Allow once|Approve/ })
/** With the End key, or by dragging: what lies between is never in sight. */
const jumpToEnd = (on = page) =>
  on.locator('.subject').evaluate((box) => box.lastElementChild?.scrollIntoView({ block: 'end' }))

/** As a person does with a wheel. */
async function scrollThrough(on = page): Promise<void> {
  const isAllowed = () => allow(on).isEnabled()
  await on.locator('.subject').hover({ position: { x: 20, y: 20 } })
  for (let turns = 0; turns < 400 && !(await isAllowed()); turns++) {
    await on.mouse.wheel(0, 240)
    await passes(on, 20)
  }
}

const goOn = (on = page) => on.getByRole('button', { name: 'Go to what was not in sight' })

/** Without a wheel: a screen at a time. */
async function goThrough(on = page): Promise<void> {
  for (let screens = 0; screens < 100 && !(await allow(on).isEnabled()); screens++) {
    await goOn(on)
      .click({ timeout: 2_000 })
      .catch(() => {})
    await passes(on, 100)
  }
}

const hint = (on = page) => on.locator('.why-not').getByText('scroll through all of it first.')

/** Long enough to be ready, were it not for what was not seen. */
const READY_MS = 1_000

describe('[SH9] a request that does not fit', () => {
  it('of 200 lines is allowed once all of it was in sight, and denied before', async () => {
    const hook = await asked('long', 'Bash', { command: lines(200), sudo: true })
    await hint().waitFor()
    await passes(page, READY_MS)
    expect(await allow().isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: /^Deny/ }).isEnabled()).toBe(true)
    await page.keyboard.press('y')
    await passes(page, 300)
    expect((await stage.home.client.session('long'))?.asks).toHaveLength(1)
    await scrollThrough()
    await page.locator('.why-not:empty').waitFor({ state: 'attached' })
    await page.locator('.warns').getByText('sudo').waitFor()
    await allow().click()
    expect(await hook.said).toContain('allow')
  })

  it.each([
    ['a command', 'Bash', { command: lines(300), sudo: true }],
    ['a plan', 'ExitPlanMode', { plan: lines(150).replaceAll('\n', '\n\n') }],
    [
      'fields',
      'mcp__x',
      Object.fromEntries(
        lines(90)
          .split('\n')
          .map((line) => [line, line]),
      ),
    ],
  ])('is not allowed when its middle was jumped over: %s', async (name, tool, input) => {
    await asked(`jumped-${name.split(' ').at(-1)}`, tool, input)
    await hint().waitFor()
    await jumpToEnd()
    await passes(page, READY_MS)
    await page.locator('.subject').evaluate((box) => box.scrollTo(0, 0))
    await passes(page, READY_MS)
    expect(await allow().isDisabled()).toBe(true)
    await goThrough()
    await allow().and(page.locator(':enabled')).waitFor()
  })

  it('is looked at anew when it is drawn in another width', async () => {
    await asked('resized', 'Bash', { command: `# ${'word '.repeat(600)}` })
    await goThrough()
    await allow().and(page.locator(':enabled')).waitFor()
    const size = page.viewportSize() ?? { width: 0, height: 0 }
    await page.setViewportSize({ width: 1_000, height: 300 })
    await hint().waitFor()
    expect(await allow().isDisabled()).toBe(true)
    await page.setViewportSize(size)
  })

  it('with a folded part is allowed once that was unfolded and seen', async () => {
    await asked('folded', 'Bash', { command: `echo ${'x'.repeat(6_000)}`, host: 'prod' })
    await page.locator('.why-not').getByText('To allow it, show all of it first.').waitFor()
    await jumpToEnd()
    await passes(page, READY_MS)
    expect(await allow().isDisabled()).toBe(true)
    await page.getByRole('button', { name: /more letters/ }).click()
    await goThrough()
    await allow().and(page.locator(':enabled')).waitFor()
  })

  it('is unfolded by the button beside the reason, and still has to be seen', async () => {
    const command = `${lines(400)}\n# ${'x'.repeat(6_000)}`
    await asked('button', 'Bash', { command, host: 'prod' })
    await page.getByRole('button', { name: 'Show all of it' }).click()
    await hint().waitFor()
    expect(await page.getByRole('button', { name: /more letters/ }).count()).toBe(0)
    expect(await allow().isDisabled()).toBe(true)
    await scrollThrough()
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
    await scrollThrough()
    await allow().and(page.locator(':enabled')).waitFor()
  })

  it('on a phone, where the buttons stand over its foot', async () => {
    const phone = await stage.signedIn(PHONE)
    await asked('phone', 'Bash', { command: lines(200) }, phone)
    await phone.locator('.request h2').tap()
    await passes(phone, READY_MS)
    expect(await allow(phone).isDisabled()).toBe(true)
    await jumpToEnd(phone)
    await passes(phone, READY_MS)
    expect(await allow(phone).isDisabled()).toBe(true)
    await goThrough(phone)
    await allow(phone).and(phone.locator(':enabled')).waitFor()
    await phone.context().close()
  })

  it('a plan that Markdown would shorten is shown as it was written', async () => {
    const plan = 'Read [the docs](https://example.org/run?curl=evil "and more").'
    await asked('links', 'ExitPlanMode', { plan })
    await page.locator('.subject code').getByText('run?curl=evil').waitFor()
    await allow().and(page.locator(':enabled')).waitFor()
  })

  it('the language of a block of code is drawn', async () => {
    const plan = 'Run:\n\n```curl-evil.example/x|sh\nls\n```\n'
    await asked('fence', 'ExitPlanMode', { plan })
    expect(await page.locator('.subject').innerText()).toContain('curl-evil.example/x|sh')
  })
})

const cells = (count: number) => Array.from({ length: count }, (_, at) => `c${at}${'x'.repeat(40)}`)
const table = (count: number, before = '') =>
  [cells(count), cells(count).map(() => '---'), cells(count)]
    .map((row) => `${before}| ${row.join(' | ')} |`)
    .join('\n')

describe.each([
  ['on a screen', {}],
  ['on a phone', PHONE],
])('[SH9] nothing has to be scrolled sideways %s', (where, device) => {
  const nested = (mark: string) =>
    Array.from({ length: 11 }, (_, at) => `${'  '.repeat(at)}${mark} ${'x'.repeat(30)}`).join('\n')
  it.each([
    ['a table', table(6)],
    ['a wide table', table(40)],
    ['a table in a list', `- a\n\n${table(5, '  ')}`],
    ['lists in lists', nested('-')],
    [
      'code in lists',
      `- a\n  - b\n    - c\n\n      \`\`\`sh\n      ${'x'.repeat(99)}\n      \`\`\``,
    ],
    ['a list with long numbers', '999999990. a\n999999991. b'],
    ['long words', `# ${'w'.repeat(500)}\n\n> ${'漢'.repeat(300)}\n\n\`${'y'.repeat(400)}\``],
  ])('%s', async (name, plan) => {
    const on = await stage.signedIn(device)
    await asked(`${where} ${name}`.replaceAll(' ', '-'), 'ExitPlanMode', { plan }, on)
    await on.locator('.request h2').click()
    await passes(on, READY_MS)
    const outside = await on.locator('.subject').evaluate((box) => {
      const { left, right } = box.getBoundingClientRect()
      const all = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      for (let node = all.nextNode(); node; node = all.nextNode()) {
        if (node.parentElement?.closest('button')) continue
        const range = document.createRange()
        range.selectNodeContents(node)
        for (const rect of range.getClientRects())
          if (rect.left < left - 1 || rect.right > right + 1) found.push(node.textContent ?? '')
      }
      return found
    })
    expect(outside).toEqual([])
    await goThrough(on)
    await allow(on).and(on.locator(':enabled')).waitFor()
    await on.context().close()
  })
})

it('[SH9] no long word pushes a value, a suggestion or the tool out of sight', async () => {
  const long = 'x'.repeat(300)
  const rules = [{ toolName: 'Bash', ruleContent: long }, { toolName: 'Write' }]
  const offer = { type: 'addRules', behavior: 'allow', destination: 'userSettings', rules }
  await fleet.tell('words', 0, ...asks('mcp__x', {}).slice(0, 2))
  const input = { command: 'ls', [long]: 'the value' }
  hooks.push(await hookAsks(stage.home, 'words', `mcp__${long}`, input, [offer]))
  await page.locator('[data-id="words"]').click()
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
