import { existsSync, globSync } from 'node:fs'
import { TESTED } from '../../lab/clients.ts'
import { missingFor } from '../../lab/drive/missing.ts'
import { CHROMIUM } from '../support/chromium.ts'
import type { Outcome } from './outcome.ts'
import { BROWSER, CLIENT, isIn, type TestSet } from './sets.ts'

export interface Absent {
  readonly why: string
  /** Patterns of the test files that cannot run without it. */
  readonly files: readonly string[]
}

/** What this machine lacks that whole test files need. */
export function absentHere(): readonly Absent[] {
  const client = TESTED.map((version) => missingFor(version)).find((missing) => missing)
  const hasBrowser = existsSync(CHROMIUM)
  return [
    ...(client === undefined ? [] : [{ why: client, files: CLIENT }]),
    ...(hasBrowser ? [] : [{ why: `there is no ${CHROMIUM}`, files: BROWSER }]),
  ]
}

/** Its files, as if vitest had skipped each of them. */
export function leftOut({ why, files }: Absent, set: TestSet): readonly Outcome[] {
  const own = globSync([...files]).filter((file) => isIn(file, set))
  return own.map((file) => ({ file, name: 'all of it', state: 'skipped', why }))
}
