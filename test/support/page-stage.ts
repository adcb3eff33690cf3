import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { builtPage } from './built-page.ts'
import { DaemonHome } from './daemon.ts'

/** A real daemon, and a real browser in front of it. */
export class PageStage {
  readonly home = new DaemonHome()
  readonly troubles: string[] = []
  #browser: Browser | undefined

  async begin(): Promise<void> {
    await builtPage()
    await this.home.start()
    this.#browser = await openBrowser()
  }

  /** Killed with SIGKILL, and started again at the same address. */
  async restart(): Promise<void> {
    await this.home.again()
  }

  async stopDaemon(): Promise<void> {
    await this.home.kill()
  }

  async address(): Promise<string> {
    const { address } = await this.home.client.health()
    if (address === null) throw new Error('the daemon has no address for pages')
    return address
  }

  /** A browser context of its own, not signed in. */
  async open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser?.newContext({ ...WIDE, ...options })
    await context?.clock.install()
    const page = await context?.newPage()
    if (!page) throw new Error('the stage has not begun')
    page.on('console', (message) => {
      if (message.type() === 'error') this.troubles.push(message.text())
    })
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (response.status() >= 400) this.troubles.push(`${response.status()} ${pathname}`)
    })
    page.on('pageerror', (error) => this.troubles.push(String(error)))
    return page
  }

  /** A browser context of its own, signed in with a code from `vigil open`. */
  async signedIn(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.open(options)
    const { code } = await this.home.client.browserCode()
    await page.goto(`${await this.address()}/#code=${code}`)
    await page.getByTestId('list').waitFor()
    await passes(page, QUIET_MS)
    return page
  }

  async end(): Promise<void> {
    await this.#browser?.close()
    await this.home.end()
  }
}

/** SPEC SH10. For this long no action on a page counts. */
export const QUIET_MS = 850

/** Makes the page's clock jump, and lets the page draw the result. */
export async function passes(page: Page, ms: number, tries = 4): Promise<void> {
  try {
    await passesHere(page, ms)
  } catch (error) {
    // A document that redirects, perhaps more than once, has been replaced by now.
    if (tries === 0 || !/context was destroyed/.test(String(error))) throw error
    await page.waitForLoadState()
    await passes(page, ms, tries - 1)
  }
}

async function passesHere(page: Page, ms: number): Promise<void> {
  await page.clock.fastForward(ms)
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  )
}

/** Chooses a session. A row that needs its user moves up, so a click may hit the row below it. */
export async function choose(page: Page, id: string): Promise<void> {
  const isChosen = () => page.url().includes(`/s/${encodeURIComponent(id)}`)
  for (let tries = 0; tries < 5; tries += 1) {
    await page.locator(`[data-id="${id}"]`).click()
    for (let looks = 0; looks < 50 && !isChosen(); looks += 1) await sleep(20)
    if (isChosen()) return
  }
  throw new Error(`${id} could not be chosen`)
}

export const WIDE = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' as const }
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
