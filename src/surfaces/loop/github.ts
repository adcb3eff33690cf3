import type { Item } from '../../core/loop/run.ts'
import { pathTo } from '../../platform/programs.ts'
import { cleanLine, itemOf, listIn, SourceTrouble } from './clean.ts'
import { hardenedEnv } from './git.ts'
import { type GroupOutcome, runGroup } from './run-group.ts'

/** One page of the API; more only when so many were handed out and are still open. */
const LISTED_MIN = 100
const LISTED_MAX = 1_000
const ANSWER_MAX_MS = 60_000
/** A hundred issues of 64 kB, the longest that GitHub takes. */
const OUTPUT_MAX_BYTES = 64_000_000

/** Nobody is there to be asked, and nothing but JSON is to be read. */
const QUIET = {
  GH_PROMPT_DISABLED: '1',
  GH_NO_UPDATE_NOTIFIER: '1',
  GH_PAGER: 'cat',
  NO_COLOR: '1',
  CLICOLOR_FORCE: undefined,
  GH_FORCE_TTY: undefined,
}

/** Open issues of the folder's repository as `gh` lists them, `filter` in GitHub's own words. */
export async function githubItems(
  filter: string | undefined,
  cwd: string,
  takenCount = 0,
): Promise<readonly Item[]> {
  const limit = takenCount < LISTED_MIN ? LISTED_MIN : LISTED_MAX
  const args = ['issue', 'list', '--json', 'number,title,body', '--state', 'open']
  const search = filter === undefined ? [] : ['--search', filter]
  // It calls git in the folder's repository.
  const env = { ...hardenedEnv(), ...QUIET }
  const options = { cwd, env, timeoutMs: ANSWER_MAX_MS, keptBytesMax: OUTPUT_MAX_BYTES }
  const ran = await runGroup(pathTo('gh'), [...args, '--limit', String(limit), ...search], options)
  if (ran.trouble?.endsWith('no such command'))
    throw new SourceTrouble('gh is not in PATH: GitHub’s issues are read with it (cli.github.com)')
  if (ran.exitCode !== 0) throw new SourceTrouble(`gh issue list: ${whyOf(ran)}`)
  // It has been seen to exit 0 after an error of the API, with nothing on its output.
  const list = listIn(ran.stdout)
  if (!list) throw new SourceTrouble(`gh issue list: no list of issues (${whyOf(ran)})`)
  return list.flatMap((issue) => {
    const { number, title, body } = (issue ?? {}) as Record<string, unknown>
    if (!Number.isSafeInteger(number) || typeof title !== 'string') return []
    return itemOf(String(number), title, typeof body === 'string' ? body : undefined) ?? []
  })
}

const WHY_MAX_CHARS = 300

function whyOf({ trouble, stderr, exitCode, timedOut }: GroupOutcome): string {
  if (timedOut) return `no answer within ${ANSWER_MAX_MS / 1000} s`
  return trouble ?? (cleanLine(stderr, WHY_MAX_CHARS) || `exit code ${exitCode}`)
}
