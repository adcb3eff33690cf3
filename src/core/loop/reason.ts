import { checkWords, passed } from './check.ts'
import { openingOf, worktreeWords } from './opening.ts'
import type { LoopRun } from './run.ts'
import type { Stop } from './stop.ts'

const GO_ON =
  'Continue working on the task. ' +
  'Check your progress and either complete the task or keep iterating.'

/**
 * SPEC LP17. What the agent reads instead of stopping: the document's sentence, verbatim, and below
 * it only what the agent cannot know. Each repetition costs context for the rest of the session.
 */
export function reasonOf(run: LoopRun, { check, anchor }: Stop): string {
  const top = run.stack.at(-1)
  if (!top) return ''
  const { iter, max, mode, until } = top
  const parts = [
    `[ITERATION ${iter}/${max}] ${GO_ON}`,
    run.unsaid ? openingOf(run) : undefined,
    check && until !== undefined && !passed(check) ? checkWords(until, check) : undefined,
    // The opening names the worktree as well.
    mode === 'issue' && !run.unsaid ? worktreeWords(top) : undefined,
    anchor,
  ]
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}
