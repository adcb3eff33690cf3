import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type IdleClient, idleClient } from '../pane/idle-client.ts'
import { askPage } from '../support/ask-page.ts'
import { until } from '../support/daemon.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { PageStage, PHONE, passes, QUIET_MS, WIDE } from '../support/page-stage.ts'
import { lastingFaults } from '../support/structure.ts'
import { Agent } from '../tmux/agent.ts'
import { PrivateTmux } from '../tmux/support.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

let tmux: PrivateTmux
let stage: PageStage
let client: IdleClient
let agent: Agent
let page: Page
beforeAll(async () => {
  if (NO_TMUX) return
  tmux = new PrivateTmux()
  client = await idleClient(tmux)
  stage = new PageStage()
  stage.home.env.TMUX_TMPDIR = tmux.tmpdir
  await stage.begin()
  agent = new Agent(stage.home, tmux, client.pane).start()
  await stage.home.taken()
  page = await stage.signedIn()
  await page.goto(`${await stage.address()}/#/s/${encodeURIComponent(agent.id)}/screen`)
  await choose()
}, 120_000)
afterAll(async () => {
  await stage?.end()
  await tmux?.end()
})

const frame = (): FrameLocator => page.frameLocator('.pane-frame')
const rows = () => frame().locator('.xterm-rows')
const theSwitch = () => page.getByRole('switch', { name: 'type into this terminal' })

/** Kept out of the repository; for people to look at. */
async function picture(name: string, folder = 'screenshots'): Promise<void> {
  const path = join('.cache', folder, `${name}.png`)
  mkdirSync(dirname(path), { recursive: true })
  await page.screenshot({ path })
  expect(await lastingFaults(page)).toEqual([])
}

/** The terminal is drawn anew in another size and other colours. */
const SETTLED_MS = 500

/** Types as a person does whose keys go to the terminal. */
async function typed(keys: string): Promise<void> {
  await frame().locator('.xterm-helper-textarea').focus()
  await page.keyboard.type(keys)
}

/** The session is chosen on purpose. */
async function choose(): Promise<void> {
  await passes(page, QUIET_MS)
  await page.locator('#session-name').click()
}

/** What is asked of the daemon from now on. */
function asked(): string[] {
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  return paths
}

const HOSTILE = [
  '\x1b]0;owned\x07title',
  '\x1b]8;;https://evil.example\x07link\x1b]8;;\x07',
  '\x1b]52;c;b3duZWQ=\x07clipboard',
  '\x1b[6n\x1b[c\x1b[>c\x1b[5n\x1b[?6n\x1b]10;?\x07\x1bP$qm\x1b\\questions',
  '\x1b[8;5;5t\x1b[14tsize',
  'https://evil.example/plain',
  '<img src=x onerror="parent.owned=1">',
]

describeUnless(NO_TMUX)('the pane in the page', () => {
  it('[PA17] shows what the pane shows, and follows it', async () => {
    await rows().getByText('● Hello.').waitFor()
    await page.getByText('live · 80 × 24 · read-only').waitFor()
    tmux.run(['send-keys', '-t', client.pane, '-l', 'in its terminal'])
    await rows().getByText('in its terminal').waitFor()
    await picture('pane-read-only')
    tmux.run(['send-keys', '-t', client.pane, 'Enter'])
    await until('it is sent', () => client.sent().length === 1)
  })

  it('[PA17] is drawn in both themes, wide and on a phone', async () => {
    for (const [width, viewport] of Object.entries({ phone: PHONE.viewport, wide: WIDE.viewport }))
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(viewport)
        await passes(page, SETTLED_MS)
        await picture(`screen-${width}-${colorScheme}`, 'looks')
      }
  })

  it('[PA17] while the switch is off no key reaches the daemon', async () => {
    expect(await theSwitch().getAttribute('aria-checked')).toBe('false')
    const paths = asked()
    await typed('rm -rf')
    await passes(page, 300)
    expect(paths.filter((path) => path.endsWith('/keys'))).toEqual([])
    expect(client.screen()).not.toContain('rm -rf')
  })

  it('[PA17] turned on, what is typed goes to the pane, and is noted', async () => {
    await theSwitch().click()
    await page.getByText(/typing allowed by /).waitFor()
    await typed('it’s me;')
    await rows().getByText('it’s me;').waitFor()
    await picture('pane-typing')
    await page.keyboard.press('Enter')
    await until('it is sent', () => client.sent().includes('it’s me;'))
    await until('its input line is empty', client.takesInput)
    const form = page.getByLabel('a prompt to this agent')
    await form.fill('from the form')
    await page.getByRole('button', { name: 'send' }).click()
    await until('it is sent', () => client.sent().includes('from the form'))
    const { acts } = await stage.home.client.acts({ session: agent.id })
    expect(acts.map(({ what, words, where }) => `${where}: ${what} ${words}`)).toEqual([
      'page: prompt from the form',
      'page: keys 9 keys',
      'page: keys started typing',
      'page: typing allowed typing',
    ])
    expect(acts[0]?.who).toMatch(/Chrom/)
    // The answer to the prompt comes once the client has taken it.
    await until('the form is empty', async () => (await form.inputValue()) === '')
  })

  it('[PA17] has nothing that a screen reader or a weak eye stumbles over', async () => {
    await page.evaluate(readFileSync(AXE, 'utf8'))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const found = await page.evaluate(async () => {
        interface Found {
          readonly violations: readonly { id: string; nodes: { failureSummary: string }[] }[]
        }
        const { axe } = window as unknown as { axe: { run(within: string): Promise<Found> } }
        const { violations } = await axe.run('.pane')
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.failureSummary}`)
      })
      expect(found).toEqual([])
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await page.getByText('As text').click()
    await until('it is there', async () =>
      (await page.locator('.pane-words pre').innerText()).includes('● Hello.'),
    )
  })

  it('[PA5] a hidden tab does not watch', async () => {
    const seen = (state: string) =>
      page.evaluate((to) => {
        Object.defineProperty(document, 'visibilityState', { get: () => to, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    const type = (text: string) => tmux.run(['send-keys', '-t', client.pane, '-l', text])
    await seen('hidden')
    type('unseen ')
    await until('the pane shows it', () => client.screen().includes('unseen'))
    await passes(page, 1_500)
    expect(await rows().textContent()).not.toContain('unseen')
    await seen('visible')
    await rows().getByText('unseen').waitFor()
    tmux.run(['send-keys', '-t', client.pane, 'Enter'])
  })

  it('[SH12] since it was out of sight nothing is typed, until it is chosen again', async () => {
    const paths = asked()
    await typed('blind')
    await page.getByText('To type, click here first').waitFor()
    expect(paths.filter((path) => path.endsWith('/keys'))).toEqual([])
    await choose()
    await page.getByText('To type, click here first').waitFor({ state: 'detached' })
    await typed('meant')
    await rows().getByText('meant').waitFor()
    expect(await rows().textContent()).not.toContain('blind')
    await page.keyboard.press('Enter')
  })

  it('[PA17] another browser sees that it is on, and can end it', async () => {
    const other = await stage.signedIn()
    await other.goto(page.url())
    await other.getByText(/typing allowed by /).waitFor()
    await other.getByRole('switch', { name: 'type into this terminal' }).click()
    await page.getByText('live · 80 × 24 · read-only').waitFor()
    await other.context().close()
    await theSwitch().click()
    await page.getByText(/typing allowed by /).waitFor()
  })

  it('[PA17] comes back after the daemon was restarted, with typing off', async () => {
    await stage.restart()
    await page.getByText('live · 80 × 24 · read-only').waitFor()
    tmux.run(['send-keys', '-t', client.pane, '-l', 'after the restart'])
    await rows().getByText('after the restart').waitFor()
    tmux.run(['send-keys', '-t', client.pane, 'Enter'])
    // The pane is back before the listing is.
    await until('the page is', async () => !(await page.title()).startsWith('…'))
    stage.troubles.splice(0)
  })

  it('[PA18] nothing that is shown does anything', async () => {
    if ((await theSwitch().getAttribute('aria-checked')) === 'false') await theSwitch().click()
    await page.getByText(/typing allowed by /).waitFor()
    const messages = await page.evaluateHandle(() => {
      const heard: unknown[] = []
      window.addEventListener('message', ({ data }) => heard.push(data))
      return heard
    })
    const popups: string[] = []
    page.context().on('page', (opened) => popups.push(opened.url()))
    const before = await page.title()
    // What the pane itself shows would be painted over it.
    await page.waitForTimeout(1_000)
    const paths = asked()
    await page.evaluate((lines) => {
      const shown = document.querySelector<HTMLIFrameElement>('.pane-frame')
      const cursor = { x: 0, y: 0, shown: true }
      const screen = { kind: 'screen', width: 80, height: 24, above: [], rows: lines, cursor }
      shown?.contentWindow?.postMessage(screen, location.origin)
    }, HOSTILE)
    await rows().getByText('clipboard').waitFor()
    for (const text of ['link', 'https://evil.example/plain']) {
      await rows().getByText(text).hover({ force: true })
      await rows()
        .getByText(text)
        .click({ modifiers: ['Control'], force: true })
    }
    await passes(page, 500)
    const heard = (await messages.jsonValue()) as { kind: string }[]
    expect(heard.filter(({ kind }) => kind === 'typed' || kind === 'pasted')).toEqual([])
    expect([popups, await page.title()]).toEqual([[], before])
    expect(await page.evaluate(() => 'owned' in window)).toBe(false)
    expect(await frame().locator('a, img').count()).toBe(0)
    expect(paths.filter((path) => !path.startsWith('/v1/'))).toEqual([])
  })

  it('[PA18] the frame has a policy of its own, and listens to the page alone', async () => {
    const answer = await askPage(await stage.address(), { path: '/pane.html' })
    const policy = String(answer.headers['content-security-policy'])
    for (const rule of ["connect-src 'none'", "frame-ancestors 'self'", "script-src 'self'"])
      expect(policy.split('; ')).toContain(rule)
    const own = page.frames().find((one) => one.url().endsWith('/pane.html'))
    const asks = await own?.evaluate(() => fetch('/v1/sessions').then(String, () => 'refused'))
    expect(asks).toBe('refused')
    await own?.evaluate(() => {
      const rows = Array.from({ length: 24 }, () => 'from itself')
      const screen = { kind: 'screen', width: 80, height: 24, above: [], rows }
      window.postMessage({ ...screen, cursor: { x: 0, y: 0, shown: true } }, location.origin)
    })
    await passes(page, 300)
    expect(await rows().textContent()).not.toContain('from itself')
    stage.troubles.splice(0)
  })

  it('[PG31] has a terminal show it, or says that none is there', async () => {
    const session = tmux.ask(client.pane, '#{session_name}')
    await page.getByRole('tab', { name: 'Now' }).click()
    const jump = page.getByRole('button', { name: 'Show it there' })
    await jump.click()
    await page.getByText('no terminal is attached to its tmux server').first().waitFor()
    await tmux.attach(session)
    tmux.run(['new-window', '-t', `${session}:`, 'sleep 100'])
    await jump.click()
    await page.getByText('shown in your terminal').first().waitFor()
    expect(tmux.ask(session, '#{pane_id}')).toBe(client.pane)
    await picture('in-tmux')
    stage.troubles.splice(0)
  })

  it('[PG25] makes the window no higher: below its end there is nothing to scroll to', async () => {
    await page.setViewportSize({ width: 390, height: 400 })
    await page.locator('.session .copy').last().waitFor({ state: 'attached' })
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
    await page.setViewportSize(WIDE.viewport)
    await page.getByRole('tab', { name: 'Screen' }).click()
    stage.troubles.splice(0)
  })

  it('[PA17] says why it shows nothing any more, and looks again', async () => {
    tmux.run(['set', '-g', 'remain-on-exit', 'on'])
    tmux.run(['respawn-pane', '-k', '-t', client.pane, 'sleep 1000'])
    await page.getByText('its pane runs another program').waitFor()
    await page.getByRole('button', { name: 'try again' }).click()
    await page.getByText('its pane runs another program').waitFor()
    await picture('pane-over')
  })
})
