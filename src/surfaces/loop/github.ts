import type { Item } from '../../core/loop/run.ts'
import { pathTo } from '../../platform/programs.ts'
import { cleanLine, itemOf, listIn, SourceTrouble } from './clean.ts'
import { hardenedEnv } from './git.ts'
import { type GroupOutcome, runGroup } from './run-group.ts'

/** One page of the API; more only if this many items were handed out and are still open. */
const LISTED_MIN = 100
const LISTED_MAX = 1_000
const ANSWER_MAX_MS = 60_000
/** A hundred issues of 64 kB, GitHub's maximum. */
const OUTPUT_MAX_BYTES = 64_000_000

/** No prompts, because no user is there, and no output but JSON. */
const QUIET = {
  GH_PROMPT_DISABLED: '1',
  GH_NO_UPDATE_NOTIFIER: '1',
  GH_PAGER: 'cat',
  NO_COLOR: '1',
  CLICOLOR_FORCE: undefined,
  GH_FORCE_TTY: undefined,
}

/** The open issues of the folder's repository from `gh`; `filter` is in GitHub's search syntax. */
export async function githubItems(
  filter: string | undefined,
  cwd: string,
  takenCount = 0,
): Promise<readonly Item[]> {
  const limit = takenCount < LISTED_MIN ? LISTED_MIN : LISTED_MAX
  const args = ['issue', 'list', '--json', 'number,title,body', '--state', 'open']
  const search = filter === undefined ? [] : ['--search', filter]
  // gh calls git in the folder's repository.
  const env = { ...hardenedEnv(), ...QUIET }
  const options = { cwd, env, timeoutMs: ANSWER_MAX_MS, keptBytesMax: OUTPUT_MAX_BYTES }
  const ran = await runGroup(pathTo('gh'), [...args, '--limit', String(limit), ...search], options)
  if (ran.trouble?.endsWith('no such command'))
    throw new SourceTrouble(
      'gh is not in PATH; vigil reads GitHub’s issues with it. Install it from cli.github.com',
    )
  if (ran.exitCode !== 0) throw new SourceTrouble(`gh issue list: ${whyOf(ran)}`)
  // gh was seen to exit with 0 after an API error, with an empty output.
  const list = listIn(ran.stdout)
  if (!list) throw new SourceTrouble(`gh issue list: printed no list of issues (${whyOf(ran)})`)
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
