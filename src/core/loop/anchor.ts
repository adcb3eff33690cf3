import { ANCHOR_GOAL_MAX_CHARS, ANCHOR_SAID_MAX_CHARS, ANCHOR_TURNS_MAX } from '../limits.ts'
import { endWords, worktreeWords } from './opening.ts'
import type { LoopRun, RunFrame } from './run.ts'
import { headOf, oneLine } from './text.ts'

/** What the agent last said in one iteration. */
export interface IterationWords {
  readonly iteration: number
  readonly said: string
}

const SUMMARISED = 'The conversation so far was summarised; this is what counts.'

/**
 * SPEC LP27. What a compaction must not lose: goal, iteration, progress and next step. The client's
 * summary retains the conversation, but was seen to drop its purpose and the line that ends the
 * loop.
 */
export function anchorOf(run: LoopRun, iterations: readonly IterationWords[]): string {
  const top = run.stack.at(-1)
  if (!top) return ''
  const parts = [
    `You are in a loop, at iteration ${top.iter} of ${top.max}. ${SUMMARISED}`,
    `Goal: ${goalOf(top)}`,
    worktreeWords(top),
    progressWords(iterations),
    nextWords(iterations),
    endWords(top),
  ]
  return parts.filter((part) => part !== undefined).join('\n\n')
}

function goalOf({ prompt, promptFile, item }: RunFrame): string {
  const task = prompt?.trim() ?? (promptFile && `what the file ${promptFile} says`)
  const one = item && `item ${item.id}: ${item.title}`
  const goal = [task, one].filter((part) => part !== undefined).join('\n')
  return goal === '' ? 'what your user asked for last' : headOf(goal, ANCHOR_GOAL_MAX_CHARS)
}

function progressWords(iterations: readonly IterationWords[]): string | undefined {
  const lines = iterations
    .filter(({ said }) => said.trim() !== '')
    .slice(-ANCHOR_TURNS_MAX)
    .map(
      ({ iteration, said }) => `- iteration ${iteration}: ${oneLine(said, ANCHOR_SAID_MAX_CHARS)}`,
    )
  return lines.length === 0 ? undefined : `Progress, in your own words:\n${lines.join('\n')}`
}

function nextWords(iterations: readonly IterationWords[]): string {
  return iterations.some(({ said }) => said.trim() !== '')
    ? 'Next step: go on from the last of these. Look at the files before you rely on it.'
    : 'Next step: look at the files to see how far you are, and go on from there.'
}
