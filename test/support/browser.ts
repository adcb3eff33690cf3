import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'
import { CHROMIUM, FLAGS } from './chromium.ts'

/** One process for all test files of a run; each file opens its own contexts in it. */
export function openBrowser(): Promise<Browser> {
  return chromium.connect(inject('browser'))
}

/** A process with its own flags. */
export function ownBrowser(...flags: readonly string[]): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...flags] })
}

/** A process that this program starts, as one that puts it into another network. */
export function browserBy(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...FLAGS] })
}
