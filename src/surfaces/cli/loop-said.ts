import type { LoopDelivery, LoopStarted, LoopView } from '../../protocol/loop.ts'
import type { Session } from '../../protocol/session.ts'
import { dollars, spanOf } from '../../view/loop.ts'
import { plain } from '../../view/session.ts'
import type { StartOptions } from './loop-start.ts'
import type { Work } from './loop-work.ts'

interface About {
  readonly session: Session
  readonly options: Pick<StartOptions, 'for' | 'budget' | 'until'>
  readonly work: Pick<Work, 'note' | 'item'>
  readonly heardHook: boolean
  readonly disabled: boolean
}

/** What was started, what happens next, and what the user may want to do. */
export function startedText(started: LoopStarted, about: About): string[] {
  const { loop, delivery, capped } = started
  const { session, work, heardHook, disabled } = about
  const name = plain(session.name, 40)
  const within = loop.frames.length > 1 ? ', nested in its present loop' : ''
  return [
    `${name}: ${loop.mode} started${within}; ${limitsOf(loop, about.options)}`,
    ...(work.item ? [`  ${plain(work.item.title, 90)}`] : []),
    ...(work.note === '' ? [] : [`  ${plain(work.note, 200)}`]),
    nextOf(delivery),
    ...(disabled ? DISABLED : []),
    ...(heardHook ? [] : NO_HOOK),
    ...(capped ? CAPPED : []),
    '',
    `  vigil loop status ${wordFor(session)}    show its progress`,
    `  vigil loop stop ${wordFor(session)}      end it; the agent stops when its turn is done`,
  ]
}

function limitsOf({ max, mode }: LoopView, options: About['options']): string {
  const { for: forMs, budget, until } = options
  const limits = [
    `at most ${max} ${mode === 'grind' ? 'items' : 'iterations'}`,
    ...(forMs === undefined ? [] : [spanOf(forMs)]),
    ...(budget === undefined ? [] : [dollars(budget)]),
  ]
  return `${limits.join(', ')}${until === undefined ? '' : `, until ${plain(until, 60)} exits 0`}`
}

export function nextOf({ how, why }: LoopDelivery): string {
  const reason = plain(why, 200)
  if (how === 'typed') return 'vigil has sent the prompt: the agent starts now.'
  if (how === 'next-stop') return `The agent gets the prompt when it stops next (${reason}).`
  return `vigil could not reach the agent (${reason}): send it any prompt, and the loop starts.`
}

const DISABLED: readonly string[] = [
  '',
  'VIGIL_LOOP_DISABLE or IDLE_LOOP_DISABLE is set here: if the agent has it too, its loop does',
  'not run. Unset it and restart the agent.',
]

const NO_HOOK: readonly string[] = [
  '',
  'This session has no hooks: the loop can reach it only through tmux.',
  'Sessions that you start after `vigil install`, or with `vigil run`, have hooks.',
]

const CAPPED: readonly string[] = [
  '',
  'This client ends a turn after 8 iterations in a row without a tool call.',
  'Sessions that you start after `vigil install`, or with `vigil run`, do not have this limit.',
]

/** In a form that can be typed. */
function wordFor({ id }: Session): string {
  return id.slice(0, 8)
}
