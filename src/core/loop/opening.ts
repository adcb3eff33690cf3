import { ITEM_TEXT_MAX_CHARS } from '../limits.ts'
import { takesItems } from './grind.ts'
import type { ItemSource, LoopRun, Mode, RunFrame } from './run.ts'
import { signalLine } from './signal-words.ts'
import { headOf, roundedSpan, usd } from './text.ts'

/**
 * SPEC LP18. The first text for an agent: its task, where to work, what ends the loop. Signals are
 * written as they must come back, plain and on their own line: shown as code, the agent would
 * repeat them as code, where they do not count.
 */
export function openingOf(run: LoopRun): string {
  const top = run.stack.at(-1)
  if (!top) return ''
  const how = takesItems(top) ? [itemsWords(top)] : [limitWords(run, top), endWords(top)]
  const parts = [taskWords(top), itemWords(top), worktreeWords(top), ...how]
  return parts.filter((part) => part !== undefined).join('\n\n')
}

/** SPEC LP17. An agent's shell may be anywhere after a compaction, or after another item. */
export function worktreeWords({ worktree }: RunFrame): string | undefined {
  if (!worktree?.path) return undefined
  const branch = worktree.branch === '' ? '' : `, on branch ${worktree.branch}`
  const base = worktree.baseRef === '' ? '' : ` (made from ${worktree.baseRef})`
  const where = `[WORKTREE] Work only in ${worktree.path}${branch}${base}.`
  return `${where} Change nothing outside of it, and commit your work there.`
}

/** SPEC LP12, LP18. What ends the loop: without this the agent does not know the line. */
export function endWords({ mode, item, until }: RunFrame): string {
  const { done, stuck } = LINES[mode]
  const asked = `this command exits 0, which is looked at whenever you stop:\n\n${until}`
  const whenDone = item ? 'When this item is done' : 'When the whole task is done'
  const say = 'end your message with this line, as plain text and on a line of its own'
  const byLine = `${whenDone}, ${say}:\n\n${signalLine(mode, done)}`
  const bothWays = `${byLine}\n\nIt counts only if this command exits 0 then:\n\n${until}`
  const byCommand = `The loop is done when ${asked}`
  const end = until === undefined ? byLine : item ? bothWays : byCommand
  return `${end}\n\n${WHEN_NOT[mode]}\n\n${signalLine(mode, stuck)}`
}

const LINES: Readonly<Record<Mode, { readonly done: string; readonly stuck: string }>> = {
  loop: { done: 'COMPLETE', stuck: 'STUCK' },
  issue: { done: 'DONE', stuck: 'STUCK' },
  grind: { done: 'NO_MORE_ISSUES', stuck: 'MAX_ISSUES' },
}

const HELP = 'If you cannot go on without help, say what is missing and end with this line instead:'
const WHEN_NOT: Readonly<Record<Mode, string>> = {
  loop: HELP,
  issue: HELP,
  grind: 'When you have worked on as many as you may, end with this line instead:',
}

function taskWords({ prompt, promptFile }: RunFrame): string | undefined {
  if (prompt !== undefined) return `Your task:\n\n${prompt.trim()}`
  return promptFile && `Your task is in the file ${promptFile}: read it first.`
}

function itemWords({ item }: RunFrame): string | undefined {
  if (!item) return undefined
  const title = item.title === item.id ? `Item: ${item.title}` : `Item ${item.id}: ${item.title}`
  const text = item.text?.trim() ?? ''
  if (text === '' || text === item.title) return title
  return `${title}\n\n${headOf(text, ITEM_TEXT_MAX_CHARS)}`
}

/** The first item is taken when the agent stops, so the text asks it to stop. */
function itemsWords({ source, max }: RunFrame): string {
  const items = `You are going to be given items${from(source)}, one at a time and at most ${max}.`
  return `${items} The first comes as soon as you stop: answer with one short line, and stop.`
}

function from(source: ItemSource | undefined): string {
  if (source?.kind === 'github') return ' from the issues on GitHub'
  if (source?.kind === 'checklist') return ` from the checklist ${source.path}`
  return source ? ` from the command ${source.command}` : ''
}

function limitWords({ stack }: LoopRun, { max }: RunFrame): string {
  const spans = stack.flatMap((frame) => (frame.deadlineAt ?? Infinity) - frame.startedAt)
  const timeMs = Math.min(...spans)
  const budget = Math.min(...stack.map(({ budgetUsd }) => budgetUsd ?? Infinity))
  const limits = [
    `${max} times`,
    ...(timeMs < Infinity ? [`for ${roundedSpan(timeMs)}`] : []),
    ...(budget < Infinity ? [`for ${usd(budget)}`] : []),
  ]
  return `You work in a loop: when you stop, you are asked to go on, at most ${limits.join(', ')}.`
}
