import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'
import { CHROMIUM, FLAGS } from './chromium.ts'

/** The one process that all test files of a run share; what a file opens in it is its own. */
export function openBrowser(): Promise<Browser> {
  return chromium.connect(inject('browser'))
}

/** One with flags of its own. */
export function ownBrowser(...flags: readonly string[]): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...flags] })
}
