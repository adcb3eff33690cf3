import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hookAsks, type WaitingHook } from '../support/hook-asks.ts'
import { BUILD, CHOICE, EDIT, PLAN, wholeFleet } from '../support/page-fleet.ts'
import { PageStage, PHONE, passes } from '../support/page-stage.ts'
import { structureOf } from '../support/structure.ts'

/** For people to look at; not part of the project. */
const OUT = fileURLToPath(new URL('../../.cache/looks/', import.meta.url))

const stage = new PageStage()
const hooks: WaitingHook[] = []

const SUGGESTED = [
  {
    type: 'addRules',
    rules: [{ toolName: 'Bash', ruleContent: 'npm run build:*' }],
    behavior: 'allow',
    destination: 'localSettings',
  },
]

const REQUESTS = [
  ['payments', 'Bash', BUILD, SUGGESTED],
  ['website', 'Edit', EDIT, []],
  ['importer', 'AskUserQuestion', CHOICE, []],
  ['shop-api', 'ExitPlanMode', PLAN, []],
] as const

beforeAll(async () => {
  mkdirSync(OUT, { recursive: true })
  await stage.begin()
  await wholeFleet(stage.home)
  const page = await stage.signedIn()
  await page.locator('[data-id="payments"]').waitFor()
  for (const [id, tool, input, suggestions] of REQUESTS)
    hooks.push(await hookAsks(stage.home, id, tool, input, suggestions))
})
afterAll(async () => {
  for (const hook of hooks) hook.end()
  await stage.end()
})

/** Past the moment in which a request cannot be answered yet, when its buttons are grey. */
const SETTLED_MS = 600

/** In both themes: these texts are seen in this order, nothing is cut, over another, or beside. */
async function looks(page: Page, name: string, shows: readonly string[], tries = 2): Promise<void> {
  const themes: string[][] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await passes(page, SETTLED_MS)
    const { texts, faults } = await structureOf(page)
    await page.screenshot({ path: join(OUT, `${name}-${colorScheme}.png`) })
    expect(faults, `${name}, ${colorScheme}`).toEqual([])
    expect(inOrder(texts, shows), `${name}, ${colorScheme}`).toEqual(shows)
    // Ages and clocks go on.
    const aged = (text: string) =>
      // A label in a bar is cut at the bar's width, which grows with the time.
      text.replaceAll(/\d+ (?:s|min|h|d)\b/g, '0 s').replace(/^(.{10}).*…$/, '$1…')
    themes.push(texts.map((text) => aged(text).replaceAll(/\d+/g, '0')))
  }
  // A minute that passed between the two themes moves a scale.
  if (tries > 0 && !isDeepStrictEqual(themes[1], themes[0]))
    return looks(page, name, shows, tries - 1)
  expect(themes[1]).toEqual(themes[0])
}

/** Those of the wanted texts that follow each other. */
function inOrder(texts: readonly string[], wanted: readonly string[]): string[] {
  let at = 0
  return wanted.filter((want) => {
    const found = texts.slice(at).findIndex((text) => text.includes(want))
    at += found + 1
    return found >= 0
  })
}

const ROWS = [
  ...['payments', 'waiting for permission', 'rm -rf dist && npm run build', 'website', 'importer'],
  ...['shop-api', 'waiting for plan', 'parser', 'error: rate limit', 'compiler', 'working: Task'],
  ...['engine', 'working: Bash', 'crawler', 'planner', 'idle after talk', 'notes', 'sandbox'],
]
const TABS = ['Now', 'Timeline', 'Why']
const VIEWS: Readonly<Record<string, readonly string[]>> = {
  payments: ['Bash asks for permission', BUILD.command, 'Allow once', 'always allow', 'Deny'],
  website: ['Edit asks for permission', 'src/cart/total.ts', 'readonly', 'Allow once', 'Deny'],
  importer: ['A question for you', 'Which database', 'SQLite', 'Postgres', 'Answer'],
  'shop-api': ['A plan to approve', 'Cache the price list', 'PriceCache', 'Approve', 'Reject'],
}

describe.each(['wide', 'phone'] as const)('every view can be read, %s', (width) => {
  let page: Page
  const goes = async (hash: string) => page.goto(`${await stage.address()}/${hash}`)
  const called = (view: string) => `${view}-${width}`

  beforeAll(async () => {
    page = await stage.signedIn(width === 'phone' ? PHONE : {})
    await page.locator('[data-id="payments"]').waitFor()
  })
  afterAll(() => page?.context().close())

  it('the board', async () => {
    // On a phone the list stands alone.
    const beside = width === 'wide' ? [...TABS, ...(VIEWS.payments ?? []), 'Last message'] : []
    if (width === 'wide') await page.locator('.request .button').first().waitFor()
    await looks(page, called('board'), [...ROWS, ...beside])
  })

  it('a session of which nothing has come yet', async () => {
    await page.route('**/explain', () => {})
    await goes('#/s/website')
    await page.locator('[aria-busy="true"]').first().waitFor()
    await looks(page, called('loading'), ['website', 'waiting for permission', ...TABS])
    await page.unrouteAll()
  })

  it.each(Object.keys(VIEWS))('what %s asks', async (id) => {
    await goes(`#/s/${id}`)
    await page.locator('.request .button').first().waitFor()
    await looks(page, called(`asks-${id}`), [id, 'waiting for', ...TABS, ...(VIEWS[id] ?? [])])
  })

  it.each([
    ['timeline', ['state', 'turns', 'waiting', 'tools', 'As a table', 'Changes', 'starting']],
    ['why', ['decided', 'Decided by', 'What would change it', 'Last reports']],
  ] as const)('the tab %s', async (tab, shows) => {
    await goes(`#/s/payments/${tab}`)
    await page.locator('.panel .card').first().waitFor()
    await page.locator('.panel').getByText(shows[0]).first().waitFor()
    await looks(page, called(tab), ['payments', ...TABS, ...shows])
  })

  it('the figures', async () => {
    await goes('#/insight')
    await page.locator('.headline .value').first().waitFor()
    await page.getByText('As a table').first().waitFor()
    const figures = ['worked', 'waited for you', 'your answer', 'cost', 'tokens', 'By the hour']
    await looks(page, called('insight'), ['Today', '7 days', '30 days', 'CSV', ...figures])
  })

  it('the keys', async () => {
    await goes('#/')
    await page.locator('[data-id="payments"]').waitFor()
    await page.keyboard.press('?')
    await page.locator('dialog[open]').waitFor()
    await looks(page, called('keys'), ['Keys', 'choose a session', 'allow its request once'])
  })

  it('the way in', async () => {
    const out = await stage.open(width === 'phone' ? PHONE : {})
    await out.goto(await stage.address())
    await out.getByText('vigil open').waitFor()
    await looks(out, called('sign-in'), ['vigil', 'not signed in', 'vigil open', 'vigil share'])
    await out.context().close()
  })

  it('nothing was wrong in any console', () => {
    expect(stage.troubles).toEqual([])
  })
})

describe('what cannot be read is noticed', () => {
  let page: Page
  beforeAll(async () => {
    page = await stage.open()
  })
  const GOOD = '<p>one</p><p>two</p>'

  it.each([
    ['nothing', GOOD, []],
    [
      'a text that is cut',
      '<p style="width: 2em; overflow: hidden">inexplicable</p>',
      ['cut by p'],
    ],
    ['a line that is cut', '<p style="height: .6em; overflow: hidden">one</p>', ['cut by p']],
    [
      'one that ends in …',
      `<p style="width: 3em; overflow: hidden; white-space: nowrap;
      text-overflow: ellipsis">one two three four</p>`,
      [],
    ],
    ['a text over another', `${GOOD}<p style="margin-top: -2.2em">three</p>`, ['two: over three']],
    ['a text beside the window', `<p style="margin-left: -1em">one</p>`, ['beside the window']],
    ['a page too wide', `<p style="width: 200vw">one</p>`, ['scrolled sideways']],
    [
      'the last first',
      `<div style="display: flex; flex-direction: column-reverse">${GOOD}</div>`,
      ['p: before p'],
    ],
    [
      'the right one left',
      `<div style="display: flex; flex-direction: row-reverse">${GOOD}</div>`,
      ['p: before p'],
    ],
    ['what is hidden', `${GOOD}<p hidden>three</p><p style="opacity: 0">four</p>`, []],
  ] as const)('%s', async (_, markup, expected) => {
    await page.setContent(`<!doctype html><body style="margin: 0">${markup}`)
    const { faults } = await structureOf(page)
    expect(faults).toHaveLength(expected.length)
    for (const [index, words] of expected.entries()) expect(faults[index]).toContain(words)
  })
})
