import { CHECK_MAX_MS, CHECK_OUTPUT_MAX_CHARS } from '../limits.ts'
import type { RunFrame } from './run.ts'
import type { CheckReport, PendingCheck } from './stop.ts'
import { fenced, roundedSpan, tailOf } from './text.ts'

/** SPEC LP12. The command that decides whether a loop is done. */

/** An item's command checks the item's work, which is in its worktree. */
export function checkChore({ worktree }: RunFrame, command: string): PendingCheck {
  const cwd = worktree?.path
  return { kind: 'check', command, timeoutMs: CHECK_MAX_MS, ...(cwd && { cwd }) }
}

/** A command that timed out may have exited with 0 for a part of its work. */
export function passed({ exitCode, timedOut }: CheckReport): boolean {
  return exitCode === 0 && timedOut !== true
}

/** What the agent reads about a command that did not exit 0. */
export function checkWords(command: string, checked: CheckReport): string {
  const said = checked.output.trim() === '' ? 'It printed nothing.' : 'The end of its output:'
  const head = `The loop is done when this command exits 0, and it did not: ${command}`
  const how = `${howItEnded(checked)} ${said}`
  if (checked.output.trim() === '') return `${head}\n${how}`
  return `${head}\n${how}\n\n${fenced(tailOf(checked.output, CHECK_OUTPUT_MAX_CHARS))}`
}

function howItEnded({ exitCode, timedOut }: CheckReport): string {
  if (timedOut) return `It was ended after ${roundedSpan(CHECK_MAX_MS)}.`
  return exitCode === null ? 'It did not end by itself.' : `It exited ${exitCode}.`
}
