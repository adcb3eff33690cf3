import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { CHROMIUM, FLAGS } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of this run listens. */
    browser: string
  }
}

/** vitest calls it before the first test file, and what it returns after the last. */
export default async function setup({ provide }: TestProject) {
  if (!existsSync(CHROMIUM)) return undefined
  const server = await chromium.launchServer({ executablePath: CHROMIUM, args: FLAGS })
  provide('browser', server.wsEndpoint())
  return () => server.close()
}
