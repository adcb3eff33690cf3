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
  const within = loop.frames.length > 1 ? ', within the one it is in' : ''
  return [
    `${name}: ${loop.mode} begun${within}; ${limitsOf(loop, about.options)}`,
    ...(work.item ? [`  ${plain(work.item.title, 90)}`] : []),
    ...(work.note === '' ? [] : [`  ${plain(work.note, 200)}`]),
    nextOf(delivery),
    ...(disabled ? DISABLED : []),
    ...(heardHook ? [] : NO_HOOK),
    ...(capped ? CAPPED : []),
    '',
    `  vigil loop status ${wordFor(session)}    how far it is`,
    `  vigil loop stop ${wordFor(session)}      ends it; the agent stops when it is done`,
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
  if (how === 'typed') return 'The agent was told: it begins now.'
  if (how === 'next-stop') return `The agent is told when it stops next (${reason}).`
  return `The agent could not be told (${reason}): send it any prompt, and it goes on from there.`
}

const DISABLED: readonly string[] = [
  '',
  'VIGIL_LOOP_DISABLE or IDLE_LOOP_DISABLE is set here: an agent that has it, too, is never',
  'held up.',
]

const NO_HOOK: readonly string[] = [
  '',
  'No hook of this session was heard so far: the loop can reach it through tmux alone.',
  'Sessions that are started after vigil install, or by vigil run, have them.',
]

const CAPPED: readonly string[] = [
  '',
  'This client ends a turn after 8 stops in a row that were held up without a tool between.',
  'Sessions that are started after vigil install, or by vigil run, are not bound by that.',
]

/** In a form that can be typed. */
function wordFor({ id }: Session): string {
  return id.slice(0, 8)
}
