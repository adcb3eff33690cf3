import { oneLine } from './clean.ts'
import { runGroup } from './run-group.ts'

/** A checkout of a large repository takes minutes. */
const GIT_MAX_MS = 300_000
const OUTPUT_MAX_BYTES = 4_000_000

/** These name another repository than the folder's own, as within a hook of git's. */
const MISLEADING = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_PREFIX']

export interface Said {
  readonly ok: boolean
  readonly exitCode: number | null
  readonly out: string
  readonly why: string
}

/** One git command, never a shell's: a title must not become a command. */
export async function git(cwd: string, ...args: readonly string[]): Promise<Said> {
  const unset = Object.fromEntries(MISLEADING.map((name) => [name, undefined]))
  const env = { ...process.env, ...unset, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' }
  const options = { cwd, env, timeoutMs: GIT_MAX_MS, keptBytesMax: OUTPUT_MAX_BYTES }
  const { exitCode, stdout, stderr, timedOut, trouble } = await runGroup('git', args, options)
  const late = timedOut ? `did not end within ${GIT_MAX_MS / 1000} s` : undefined
  const why = trouble ?? late ?? (oneLine(stderr, 300) || `exit code ${exitCode}`)
  return { ok: exitCode === 0, exitCode, out: stdout.trim(), why: `git ${args[0]}: ${why}` }
}
