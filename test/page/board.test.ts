import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../support/daemon.ts'
import { asks, BUILD, PageFleet, stop, wholeFleet } from '../support/page-fleet.ts'
import { PageStage, PHONE } from '../support/page-stage.ts'

const stage = new PageStage()
const fleet = new PageFleet(stage.home)

beforeAll(async () => {
  await stage.begin()
  await wholeFleet(stage.home)
})
afterAll(() => stage.end())

const row = (page: Page, id: string) => page.locator(`[data-id="${id}"]`)
const chosen = (page: Page) => page.locator('[aria-current="true"]').getAttribute('data-id')
const name = (page: Page) => page.locator('#session-name')

describe('a browser that is not signed in', () => {
  it('[PG2] sees how to sign in, and nothing of any session', async () => {
    const page = await stage.open()
    await page.goto(await stage.address())
    await page.getByText('vigil open').waitFor()
    expect(await page.locator('body').innerText()).not.toContain('payments')
    await page.context().close()
  })

  it('[PG2] takes the code out of the address and the history before it uses it', async () => {
    const page = await stage.open()
    await page.goto('about:blank')
    const { code } = await stage.home.client.browserCode()
    await page.goto(`${await stage.address()}/#code=${code}`)
    await page.getByTestId('list').waitFor()
    expect(page.url()).not.toContain(code)
    await page.goBack()
    expect(page.url()).toBe('about:blank')
    await page.goForward()
    expect(page.url()).not.toContain('code')
    await page.context().close()
  })

  it('[PG2] shows that its code is invalid', async () => {
    const page = await stage.open()
    await page.goto(`${await stage.address()}/#code=${'0'.repeat(32)}`)
    await page.getByRole('alert').waitFor()
    expect(page.url()).not.toContain('code')
    stage.troubles.length = 0
    await page.context().close()
  })

  it('[PG30] is not put out by a code that does not hold, once it is in', async () => {
    const page = await stage.signedIn()
    const wrong = `${await stage.address()}/#code=${'0'.repeat(32)}`
    // In the tab that shows the page already, and in one that is opened with it.
    const another = await page.context().newPage()
    for (const tab of [page, another]) {
      const refused = tab.waitForResponse((response) => response.url().endsWith('/sign-in'))
      await tab.goto(wrong)
      expect((await refused).status()).toBe(403)
      await row(tab, 'payments').waitFor()
      expect(tab.url()).not.toContain('code')
      expect(await tab.getByText('not signed in').count()).toBe(0)
    }
    stage.troubles.length = 0
    await page.context().close()
  })

  it('[PG30] is not let in by a wrong code when its key does not hold either', async () => {
    const page = await stage.signedIn()
    await page.goto('about:blank')
    const { browsers } = await stage.home.client.browsers()
    for (const { id } of browsers) await stage.home.client.forgetBrowser(id)
    await page.goto(`${await stage.address()}/#code=${'0'.repeat(32)}`)
    await page.getByRole('alert').waitFor()
    await page.getByText('This browser is not signed in').waitFor()
    stage.troubles.length = 0
    await page.context().close()
  })

  it('[PG2] that is signed out elsewhere shows nothing any more', async () => {
    const page = await stage.signedIn()
    await row(page, 'payments').waitFor()
    const { browsers } = await stage.home.client.browsers()
    for (const { id } of browsers) await stage.home.client.forgetBrowser(id)
    await page.getByText('This browser is not signed in').waitFor()
    expect(await page.locator('body').innerText()).not.toContain('payments')
    stage.troubles.length = 0
    await page.context().close()
  })
})

describe('the board', () => {
  let page: Page
  beforeAll(async () => {
    page = await stage.signedIn()
    await row(page, 'payments').waitFor()
  })
  afterAll(() => page.context().close())

  it('[PG7] is gone through by keys, and what is chosen has the focus', async () => {
    const first = await chosen(page)
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowDown')
    expect(await chosen(page)).not.toBe(first)
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('data-id'))
    expect(focused).toBe(await chosen(page))
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    expect(await chosen(page)).toBe(first)
  })

  it('[PG7] is filtered as one types, and Esc ends it', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('crawl')
    await until('one is left', async () => (await page.locator('.row').count()) === 1)
    expect(await row(page, 'crawler').count()).toBe(1)
    await page.keyboard.press('Escape')
    await row(page, 'payments').waitFor()
    expect(await page.locator('#search').inputValue()).toBe('')
  })

  it('[PG7] letters typed into a field are the field’s', async () => {
    await page.locator('#search').focus()
    await page.keyboard.type('n?wx')
    expect(await page.locator('#search').inputValue()).toBe('n?wx')
    expect(await page.locator('dialog[open]').count()).toBe(0)
    await page.keyboard.press('Escape')
  })

  it('[PG7] shows its keys, and Esc puts them away', async () => {
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Keys' }).waitFor({ state: 'hidden' })
    await page.keyboard.press('j')
    expect(await page.locator('dialog[open]').count()).toBe(0)
  })

  it('[PG7] groups by project and machine', async () => {
    await page.getByRole('button', { name: 'Machine' }).click()
    const { host } = await stage.home.client.health()
    await page.getByRole('heading', { name: host }).waitFor()
    await page.keyboard.press('g')
    await page.getByRole('heading', { name: host }).waitFor({ state: 'hidden' })
  })

  it('[PG7] tells why, with the signals it rests on', async () => {
    await row(page, 'parser').click()
    await page.keyboard.press('w')
    await page.getByRole('heading', { name: 'Decided by' }).waitFor()
    await page.locator('.signals .chip', { hasText: 'hook' }).first().waitFor()
    await page.getByText('What would change it').waitFor()
    await page.keyboard.press('Escape')
    expect(page.url()).toMatch(/#\/s\/parser$/)
  })

  it('[PG7] opened on purpose, a session is read', async () => {
    await fleet.tell('fresh', 0, ...asks('Bash', BUILD))
    await row(page, 'fresh').waitFor()
    await until('it is unread', async () => (await stage.home.client.session('fresh'))?.unread)
    await row(page, 'fresh').click()
    await until('it is read', async () => !(await stage.home.client.session('fresh'))?.unread)
  })

  it('[BD1] shows a change without being asked to', async () => {
    await fleet.tell('live', 0, { hook_event_name: 'UserPromptSubmit', prompt: 'x' })
    await row(page, 'live').getByText('working').waitFor()
    await fleet.tell('live', 0, { hook_event_name: 'StopFailure', error: 'overloaded' })
    await row(page, 'live').getByText('error: overloaded').waitFor()
  })

  it('[BD9] asks the daemon nothing while nothing happens', async () => {
    const other = await stage.signedIn()
    await row(other, 'live').click()
    await other.getByText('Last message').or(other.getByText('Session')).first().waitFor()
    await other.waitForTimeout(1_500)
    const asked: string[] = []
    other.on('request', (request) => asked.push(request.url()))
    await other.waitForTimeout(4_000)
    expect(asked).toEqual([])
    await fleet.tell('live', 0, { hook_event_name: 'UserPromptSubmit', prompt: 'x' })
    await until('its details are asked for', () => asked.some((url) => url.endsWith('/explain')))
    await other.context().close()
  })

  it('[PG10] the tab tells how many wait', async () => {
    const waiting = async () => {
      const { sessions } = await stage.home.client.sessions()
      return sessions.filter(({ state }) => state === 'waiting').length
    }
    await fleet.tell('counted', 0, ...asks('Bash', BUILD))
    await until(
      'the title has it',
      async () => (await page.title()) === `(${await waiting()}) vigil`,
    )
    const icon = await page.locator('link[rel="icon"]').getAttribute('href')
    expect(decodeURIComponent(icon ?? '')).toContain(`>${await waiting()}</text>`)
  })

  it('[PG10] the tab shows it even if the page is hidden and no frame is drawn', async () => {
    const other = await stage.signedIn()
    await row(other, 'payments').waitFor()
    await other.evaluate(() => {
      window.requestAnimationFrame = () => 0
    })
    const before = await other.title()
    await fleet.tell('unseen', 0, ...asks('Bash', BUILD))
    await until('the title is another', async () => (await other.title()) !== before)
    await other.context().close()
  })

  it('[PG12] a screen reader announces the session that begins to need its user', async () => {
    await fleet.tell('heard', 0, ...asks('Bash', BUILD))
    await until('it is said', async () =>
      /heard: waiting for permission/.test(
        await page.locator('[role="status"][aria-live]').innerText(),
      ),
    )
  })

  it('[PG13] nothing is moved by a change while one reads', async () => {
    await page.keyboard.press('End')
    const shifts = await page.evaluate(() => {
      const seen: number[] = []
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          seen.push((entry as unknown as { value: number }).value)
      }).observe({ type: 'layout-shift' })
      Object.assign(window, { seen })
      return seen.length
    })
    expect(shifts).toBe(0)
    for (const id of ['m1', 'm2', 'm3']) await fleet.tell(id, 0, ...asks('Bash', BUILD), stop)
    await row(page, 'm3').waitFor({ state: 'attached' })
    const seen = await page.evaluate(() => (window as unknown as { seen: number[] }).seen)
    expect(seen.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.02)
  })

  it('[PG24] keeps the colours that were chosen', async () => {
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
    await page.getByRole('button', { name: 'colours: auto' }).click()
    await page.getByRole('button', { name: 'colours: light' }).click()
    expect(await theme()).toBe('dark')
    await page.reload()
    await page.getByTestId('list').waitFor()
    expect(await theme()).toBe('dark')
    expect(await page.evaluate(() => getComputedStyle(document.body).colorScheme)).toBe('dark')
    await page.getByRole('button', { name: 'colours: dark' }).click()
    expect(await theme()).toBeUndefined()
  })
})

describe('on a phone', () => {
  it('[PG6] one sees the list or a session, and goes back to where one was', async () => {
    const page = await stage.signedIn(PHONE)
    await row(page, 'payments').click()
    await name(page).getByText('payments').waitFor()
    expect(await page.getByTestId('list').isVisible()).toBe(false)
    await page.goBack()
    await row(page, 'payments').waitFor()
    expect(await name(page).isVisible()).toBe(false)
    await page.context().close()
  })

  it.each([320, 360, 390, 700, 1_000, 1_440, 2_560])(
    '[PG25] nothing is wider than a window of %i',
    async (width) => {
      const page = await stage.signedIn({ viewport: { width, height: 800 } })
      await row(page, 'payments').click()
      await name(page).getByText('payments').waitFor()
      await page.getByText('Last message').waitFor()
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(wider).toBeLessThanOrEqual(0)
      await page.context().close()
    },
  )
})

it('no error was said in any console', () => {
  expect(stage.troubles).toEqual([])
})
