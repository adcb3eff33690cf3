import { globSync } from 'node:fs'
import { matchesGlob } from 'node:path'

/** Daemons killed hundreds of times, real clients, real browsers: minutes, two at a time. */
export const SLOW = [
  'test/torture/*.test.ts',
  'test/faults/*.test.ts',
  'test/e2e/*.test.ts',
  'test/lab/*.test.ts',
  'test/fleet/{calls,connecting,loops,outside,own-server,permissions,transport}.test.ts',
  'test/fleet/network{,-*}.test.ts',
  'test/package/package.test.ts',
  'test/page/*.test.ts',
  'test/**/*-browser.test.ts',
  'test/**/real-client*.test.ts',
]

/** They replace a module (`vi.mock`), which another file may have imported in the same process. */
export const REPLACING = ['src/daemon/judged-once.test.ts']

/** Something runs in these that every daemon takes for a client: no other test runs beside them. */
export const SEEN_BY_ALL = [
  'test/decide/agent-shell.test.ts',
  'test/sources/processes.test.ts',
  'test/tmux/screens.test.ts',
]

/** Twenty seconds and more in a short file. */
export const LONG = [
  'test/torture/torture.test.ts',
  'test/answer/real-client-late.test.ts',
  'test/loop/real-client-{faults,more}.test.ts',
  'test/origin/{foreground,held,tunnel}.test.ts',
  'test/store/kill.test.ts',
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

/** `npm test` runs these with the newest client, `npm run verify` with the others. */
const EACH_VERSION = [
  'test/answer/real-client.test.ts',
  'test/install/real-client.test.ts',
  'test/loop/real-client-hook.test.ts',
]

/**
 * What `npm test` runs of the slow ones: some of each kind, by what they cost and what they would
 * find. All others are left to `npm run verify`: more conversations, views and faults, the lab.
 */
const IN_TEST = [
  ...EACH_VERSION,
  'test/e2e/*.test.ts',
  'test/pane/real-client.test.ts',
  'test/api/attack-browser.test.ts',
  'test/page/{access,answer,board,lost,pane}.test.ts',
  'test/faults/{ending,loop-kill,read-only,surfaces}.test.ts',
  'test/fleet/{calls,connecting,network,outside,own-server,permissions,transport}.test.ts',
  'test/lab/model.test.ts',
]

/** `npm test` runs these with two shells, `npm run verify` with two others. */
const EACH_SHELL = [
  'test/hook/{hook,portable,start,stdin,statusline,trouble}.test.ts',
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
  include: IN_TEST,
  exclude: [],
}

export const VERIFY_SET: TestSet = {
  config: 'vitest.verify.config.ts',
  include: [...SLOW, ...EACH_SHELL],
  exclude: IN_TEST.filter((pattern) => !EACH_VERSION.includes(pattern)),
}

/** The config that runs a file in full; none for one that the quick tests have. */
export function configOf(file: string): string | undefined {
  if (!isAmong(file, SLOW)) return undefined
  return isIn(file, SLOW_SET) ? SLOW_SET.config : VERIFY_SET.config
}

/** Its files, those in which a real client takes part apart from the others. */
export function filesOf(set: TestSet): { readonly clients: string[]; readonly others: string[] } {
  const files = globSync(set.include).filter((file) => isIn(file, set))
  const clients = files.filter((file) => isAmong(file, CLIENT))
  return { clients, others: files.filter((file) => !clients.includes(file)) }
}

export function isIn(file: string, { include, exclude }: TestSet): boolean {
  return isAmong(file, include) && !isAmong(file, exclude)
}

export function isAmong(file: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matchesGlob(file, pattern))
}
