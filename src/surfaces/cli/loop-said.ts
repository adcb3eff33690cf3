import type { Delivery, LoopView, Started } from '../../daemon/loops/shapes.ts'
import type { Session } from '../../daemon/session.ts'
import { dollars } from '../../view/loop.ts'
import { ageOf, nameOf, plain } from '../../view/session.ts'
import type { StartOptions } from './loop-start.ts'
import type { Work } from './loop-work.ts'

interface About {
  readonly session: Session
  readonly options: Pick<StartOptions, 'for' | 'budget' | 'until'>
  readonly work: Pick<Work, 'note' | 'item'>
  readonly heardHook: boolean
}

/** What was begun, what happens next, and what its user may want to do. */
export function startedText(started: Started, about: About): string[] {
  const { loop, delivery, capped } = started
  const { session, work, heardHook } = about
  const name = plain(nameOf(session), 40)
  const within = loop.frames.length > 1 ? ', within the one it is in' : ''
  return [
    `${name}: ${loop.mode} begun${within}; ${limitsOf(loop, about.options)}`,
    ...(work.item ? [`  ${plain(work.item.title, 90)}`] : []),
    ...(work.note === '' ? [] : [`  ${plain(work.note, 200)}`]),
    nextOf(delivery),
    ...(heardHook ? [] : [NO_HOOK]),
    ...(capped ? [CAPPED] : []),
    '',
    `  vigil loop status ${wordFor(session)}    how far it is`,
    `  vigil loop stop ${wordFor(session)}      ends it; the agent stops when it is done`,
  ]
}

function limitsOf({ max, mode }: LoopView, options: About['options']): string {
  const { for: forMs, budget, until } = options
  const limits = [
    `at most ${max} ${mode === 'grind' ? 'items' : 'iterations'}`,
    ...(forMs === undefined ? [] : [ageOf(forMs)]),
    ...(budget === undefined ? [] : [dollars(budget)]),
  ]
  return `${limits.join(', ')}${until === undefined ? '' : `, until ${plain(until, 60)} exits 0`}`
}

export function nextOf({ how, why }: Delivery): string {
  const reason = plain(why, 200)
  if (how === 'typed') return 'The agent was told: it begins now.'
  if (how === 'next-stop') return `The agent is told when it stops next (${reason}).`
  return `The agent could not be told (${reason}): send it any prompt, and it goes on from there.`
}

const NO_HOOK =
  'No hook of this session was heard so far: the loop can reach it through tmux alone. ' +
  'vigil install, and start the session anew.'

const CAPPED =
  'This client ends a turn after 8 stops in a row that were held up without a tool between. ' +
  'vigil install raises that, as does vigil run, for sessions started from then on.'

/** As it can be typed. */
function wordFor({ id }: Session): string {
  return id.slice(0, 8)
}
