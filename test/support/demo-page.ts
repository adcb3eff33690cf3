import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openStage, type Stage } from '../../src/app/stage.ts'
import { openBrowser } from './browser.ts'
import { builtPage } from './built-page.ts'
import { WIDE } from './page-stage.ts'

/** The demo's own daemon in this process, and a real browser in front of it. */
export class DemoPage {
  readonly troubles: string[] = []
  #stage: Stage | undefined
  #browser: Browser | undefined

  async begin(speed = 1): Promise<void> {
    await builtPage()
    this.#stage = await openStage({ speed })
    this.#browser = await openBrowser()
  }

  get stage(): Stage {
    if (!this.#stage) throw new Error('the demo has not begun')
    return this.#stage
  }

  /** A browser context of its own, signed in, at this place of the page. */
  async open(hash: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser?.newContext({ ...WIDE, ...options })
    const page = await context?.newPage()
    if (!page) throw new Error('the demo has not begun')
    page.on('console', (message) => {
      if (message.type() === 'error') this.troubles.push(message.text())
    })
    page.on('pageerror', (error) => this.troubles.push(String(error)))
    const { code } = await this.stage.client.browserCode()
    const { address } = await this.stage.client.health()
    await page.goto(`${address}/#code=${code}`)
    await page.getByTestId('list').waitFor()
    await page.goto(`${address}/${hash}`)
    return page
  }

  async end(): Promise<void> {
    await this.#browser?.close()
    await this.#stage?.close()
  }
}
