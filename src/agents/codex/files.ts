import type { Logs } from '../agent.ts'
import { fields } from '../read.ts'

/** `sessions/YYYY/MM/DD/rollout-<local time>-<thread>.jsonl` below the home. */
export const logs: Logs = {
  rootOf: (home) => `${home}/sessions`,
  homeOf: (path) => /^(.+)\/sessions\/\d{4}\/\d\d\/\d\d\/rollout-[^/]+\.jsonl$/.exec(path)?.[1],
  depth: 3,
  suffix: '.jsonl',
  isLog: (root, path) => path.startsWith(`${root}/`) && LOG.test(path.slice(root.length)),
  isNoise: (entry) => NOISE.has(String(fields(entry).type)),
}

const LOG = /^\/\d{4}\/\d\d\/\d\d\/rollout-[^/]+\.jsonl$/

/** Long, often written, and no step of the session. */
const NOISE: ReadonlySet<string> = new Set([
  'world_state',
  'token_usage_record',
  'retained_context',
])
