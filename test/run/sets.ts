import { matchesGlob } from 'node:path'

/** Daemons killed hundreds of times, real clients, real browsers: minutes, two at a time. */
export const SLOW = [
  'test/torture/*.test.ts',
  'test/faults/*.test.ts',
  'test/e2e/*.test.ts',
  'test/lab/*.test.ts',
  'test/package/package.test.ts',
  'test/page/*.test.ts',
  'test/**/*-browser.test.ts',
  'test/**/real-client*.test.ts',
]

/** Something runs in these that every daemon takes for a client: no other test runs beside them. */
export const SEEN_BY_ALL = [
  'test/decide/agent-shell.test.ts',
  'test/sources/processes.test.ts',
  'test/tmux/screens.test.ts',
]

/** In these a real browser takes part. */
export const BROWSER = [
  'test/page/*.test.ts',
  'test/**/*-browser.test.ts',
  'test/{answer/real-client-late,pane/real-client-page}.test.ts',
]

/** In these a real client takes part. */
export const CLIENT = [
  'test/e2e/*.test.ts',
  'test/lab/{drive,record,score-run}.test.ts',
  'test/**/real-client*.test.ts',
]

/** What `npm test` leaves to `npm run verify`: the same rules in more conversations, the lab. */
const VERIFY_ONLY = [
  'test/answer/real-client-{first,late,older}.test.ts',
  'test/install/real-client-shared.test.ts',
  'test/lab/{drive,record,score-run}.test.ts',
  'test/loop/real-client-{faults,more,plugin}.test.ts',
  'test/pane/real-client-older.test.ts',
  'test/torture/*.test.ts',
]

/** `npm test` runs these with the newest client, `npm run verify` with the others. */
const EACH_VERSION = [
  'test/answer/real-client.test.ts',
  'test/install/real-client.test.ts',
  'test/loop/real-client-hook.test.ts',
]

/** `npm test` runs these with two shells, `npm run verify` with two others. */
const EACH_SHELL = [
  'test/hook/{hook,start,stdin,statusline,trouble}.test.ts',
  'test/hook/answer{,-request,-trouble}.test.ts',
]

/** A run of vitest, as its config chooses files. */
export interface TestSet {
  readonly config: string
  readonly include: string[]
  readonly exclude: string[]
}

export const SLOW_SET: TestSet = {
  config: 'vitest.slow.config.ts',
  include: SLOW,
  exclude: VERIFY_ONLY,
}

export const VERIFY_SET: TestSet = {
  config: 'vitest.verify.config.ts',
  include: [...VERIFY_ONLY, ...EACH_VERSION, ...EACH_SHELL],
  exclude: [],
}

/** The config that runs a file in full; none for one that the quick tests have. */
export function configOf(file: string): string | undefined {
  if (!isAmong(file, SLOW)) return undefined
  return isIn(file, SLOW_SET) ? SLOW_SET.config : VERIFY_SET.config
}

export function isIn(file: string, { include, exclude }: TestSet): boolean {
  return isAmong(file, include) && !isAmong(file, exclude)
}

export function isAmong(file: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matchesGlob(file, pattern))
}
