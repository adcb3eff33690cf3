import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../support/daemon.ts'
import { hookAsks, type WaitingHook } from '../support/hook-asks.ts'
import { BUILD, CHOICE, EDIT, PageFleet, PLAN } from '../support/page-fleet.ts'
import { choose, PageStage, passes } from '../support/page-stage.ts'

const stage = new PageStage()
const fleet = new PageFleet(stage.home)
const hooks: WaitingHook[] = []
let page: Page

const RULE = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'npm run build:*' }],
  behavior: 'allow',
  destination: 'localSettings',
}

beforeAll(async () => {
  await stage.begin()
  page = await stage.signedIn()
})
afterAll(() => stage.end())
afterEach(() => {
  for (const hook of hooks.splice(0)) hook.end()
})

async function asked(id: string, tool: string, input: object, suggestions: object[] = []) {
  const call = { tool_name: tool, tool_input: input, tool_use_id: `toolu_${id}` }
  const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'Go on.' }
  await fleet.tell(id, 0, prompt, { hook_event_name: 'PreToolUse', ...call })
  const hook = await hookAsks(stage.home, id, tool, input, suggestions)
  hooks.push(hook)
  return hook
}

async function shown(id: string, on = page): Promise<void> {
  await choose(on, id)
  await on.locator('.request').waitFor()
}

const press = async (name: string | RegExp, on = page) =>
  on.locator('.request').getByRole('button', { name, exact: true }).click()

const decisionOf = async (hook: WaitingHook) => {
  const said = await hook.said
  return said === '' ? null : JSON.parse(said).hookSpecificOutput.decision
}

describe('a request for permission', () => {
  it('[PG15] is shown with its whole command, and allowed once', async () => {
    const hook = await asked('allow', 'Bash', BUILD)
    await shown('allow')
    const text = await page.locator('.request').innerText()
    expect(text).toContain(BUILD.command)
    expect(text).toContain(BUILD.description)
    await press(/Allow once/)
    expect(await decisionOf(hook)).toMatchObject({ behavior: 'allow' })
    await page.locator('.request').waitFor({ state: 'detached' })
    await page
      .getByText(/allowed Bash/)
      .first()
      .waitFor()
  })

  it('[PG15] a change is shown in colours', async () => {
    await asked('change', 'Edit', EDIT)
    await shown('change')
    await page.getByText(EDIT.file_path).first().waitFor()
    const lines = page.locator('.diff-line')
    expect(await lines.filter({ hasText: 'items.length * 10' }).getAttribute('class')).toMatch(
      /del/,
    )
    expect(await lines.filter({ hasText: 'price })' }).getAttribute('class')).toMatch(/add/)
  })

  it('[PG16] is allowed in one of the client’s own ways', async () => {
    const hook = await asked('suggests', 'Bash', BUILD, [RULE])
    await shown('suggests')
    await press(/always allow/i)
    expect(await decisionOf(hook)).toMatchObject({
      behavior: 'allow',
      updatedPermissions: [{ type: 'addRules', behavior: 'allow' }],
    })
  })

  it('[PG16] is denied with a word to the agent', async () => {
    const hook = await asked('deny', 'Bash', BUILD)
    await shown('deny')
    await passes(page, 500)
    await page.keyboard.press('d')
    await page.keyboard.type('use pnpm, and keep dist')
    await page.keyboard.press('Enter')
    expect(await decisionOf(hook)).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('use pnpm, and keep dist'),
    })
  })

  it('[PG16] keys typed before it stood there a moment answer nothing', async () => {
    const hook = await asked('sudden', 'Bash', BUILD)
    await page.locator('[data-id="sudden"]').waitFor()
    // The page's clock stands still, but for the frames that it needs to draw.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
    await choose(page, 'sudden')
    await until('it is drawn', async () => {
      await page.clock.runFor(20)
      return page.locator('.request .button').first().isVisible()
    })
    await page.keyboard.press('y')
    await page.clock.runFor(250)
    expect((await stage.home.client.session('sudden'))?.asks).toHaveLength(1)
    await page.clock.resume()
    await until('it can be answered', () =>
      page.getByRole('button', { name: /Allow once/ }).isEnabled(),
    )
    await page.keyboard.press('y')
    expect(await decisionOf(hook)).toMatchObject({ behavior: 'allow' })
  })
})

describe('of several requests of one session', () => {
  it('[PG16] a key answers the first, and no other', async () => {
    const first = await asked('twice', 'Bash', BUILD)
    const input = { command: 'npm publish', description: 'Publish' }
    const second = await hookAsks(stage.home, 'twice', 'Bash', input)
    hooks.push(second)
    await choose(page, 'twice')
    await until('both are shown', async () => (await page.locator('.request').count()) === 2)
    await passes(page, 600)
    // Held down: the browser says so again and again.
    await page.keyboard.down('y')
    for (let held = 0; held < 20; held += 1) await page.keyboard.down('y')
    await page.keyboard.up('y')
    const ended = [first, second].map(({ said }, at) => said.then((text) => [at, text] as const))
    const [, text] = await Promise.race(ended)
    expect(text).toContain('allow')
    const shown = () => page.locator('.request').count()
    await until('one of them is gone', async () => (await shown()) === 1)
    await passes(page, 800)
    expect(await shown()).toBe(1)
  })
})

describe('a question', () => {
  it('[PG17] is answered by one of its options', async () => {
    const hook = await asked('choose', 'AskUserQuestion', CHOICE)
    await shown('choose')
    const answer = page.getByRole('button', { name: 'Answer', exact: true })
    expect(await answer.isDisabled()).toBe(true)
    await page.getByRole('radio', { name: /Postgres/ }).check()
    await answer.click()
    expect(JSON.stringify(await decisionOf(hook))).toContain('Postgres')
  })

  it('[PG17] is answered in words of one’s own, and letters are no keys meanwhile', async () => {
    const hook = await asked('own', 'AskUserQuestion', CHOICE)
    await shown('own')
    await page.getByPlaceholder('In your own words').pressSequentially('a dyed DuckDB')
    await press('Answer')
    expect(JSON.stringify(await decisionOf(hook))).toContain('a dyed DuckDB')
  })
})

describe('a plan', () => {
  it('[PG15] is rendered and approved', async () => {
    const hook = await asked('plan', 'ExitPlanMode', PLAN)
    await shown('plan')
    await page.locator('.plan').getByRole('heading', { name: 'Cache the price list' }).waitFor()
    await page.locator('.plan ol > li').nth(2).waitFor()
    await press(/Approve/)
    expect(await decisionOf(hook)).toMatchObject({ behavior: 'allow' })
  })

  it('[PG16] is rejected with a word', async () => {
    const hook = await asked('reject', 'ExitPlanMode', PLAN)
    await shown('reject')
    await press(/Reject/)
    await page.getByRole('textbox', { name: /What to change/ }).fill('no cache at all')
    await press('Reject')
    expect(JSON.stringify(await decisionOf(hook))).toContain('no cache at all')
  })
})

describe('of two browsers', () => {
  it('[PG18] the first answer counts, and the other one sees it withdrawn', async () => {
    const other = await stage.signedIn()
    const hook = await asked('both', 'Bash', BUILD)
    await Promise.all([shown('both'), shown('both', other)])
    await press(/Allow once/)
    expect(await decisionOf(hook)).toMatchObject({ behavior: 'allow' })
    await other.locator('.request').waitFor({ state: 'detached' })
    await other.context().close()
  })

  it('[PG18] one that was answered in its terminal is withdrawn at once', async () => {
    const hook = await asked('local', 'Bash', BUILD)
    await shown('local')
    await fleet.tell('local', 0, {
      ...{ hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: 'toolu_local' },
      ...{ tool_input: BUILD, tool_response: {} },
    })
    await page.locator('.request').waitFor({ state: 'detached' })
    expect(await decisionOf(hook)).toBeNull()
  })

  it('[PG18] an answer to what is over is refused, and said to be', async () => {
    const hook = await asked('late', 'Bash', BUILD)
    await shown('late')
    await passes(page, 500)
    await page.route('**/v1/stream', (route) => route.abort())
    const [id] = (await stage.home.client.session('late'))?.asks ?? []
    const key = await page.evaluate(() => localStorage.getItem('vigil.key'))
    const answer = { choice: 'deny', where: 'page' }
    const status = await page.evaluate(
      async ([id, key, body]) => {
        const headers = { authorization: `Bearer ${key}`, 'x-vigil': '1' }
        const type = { 'content-type': 'application/json' }
        const path = `/v1/requests/${encodeURIComponent(id ?? '')}/answer`
        const init = { method: 'POST', headers: { ...headers, ...type }, body: body ?? '' }
        return [(await fetch(path, init)).status, (await fetch(path, init)).status]
      },
      [id, key, JSON.stringify(answer)],
    )
    expect(status).toEqual([200, 409])
    await hook.said
    await page.unroute('**/v1/stream')
  })
})
