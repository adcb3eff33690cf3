import { needOf } from '../../core/loop/need.ts'
import type { Session } from '../../protocol/session.ts'
import { inAttention } from '../order.ts'
import { ageOf, needsUser, plain, wordsOf } from '../session.ts'
import type { Board } from './board.ts'

type Sessions = ReadonlyMap<string, Session>

/** Sessions that begin to need the user, or need the user for something else; most urgent first. */
export function began(before: Sessions, after: Sessions): readonly Session[] {
  const news = [...after.values()].filter((session) => {
    if (!needsUser(session)) return false
    const was = before.get(session.id)
    return was !== session && (!was || !needsUser(was) || callOf(was) !== callOf(session))
  })
  return inAttention(news)
}

/** Sessions that no longer need the user. */
export function ended(before: Sessions, after: Sessions): readonly string[] {
  return [...before.values()]
    .filter((session) => needsUser(session))
    .map(({ id }) => id)
    .filter((id) => {
      const session = after.get(id)
      return !session || !needsUser(session)
    })
}

/** Identifies a call for the user: the same words mean the same call after a restart. */
export function callOf({ state, for: kind, request, since, loop }: Session): string {
  return [state, kind ?? '', request?.at ?? since, needOf(loop) ?? []].flat().join(' ')
}

/** A screen reader names up to this many sessions; of more it says only their number. */
const NAMED_MAX = 3
const NAME_MAX_COLUMNS = 60

/** `payments: waiting for permission`, for a screen reader. */
export function announcement(sessions: readonly Session[]): string {
  if (sessions.length > NAMED_MAX) return `${sessions.length} sessions need you`
  return sessions
    .map((session) => `${plain(session.name, NAME_MAX_COLUMNS)}: ${wordsOf(session)}`)
    .join('; ')
}

/** What happened while the connection was lost, in one sentence; empty if nothing changed. */
export function meanwhile(before: readonly Session[], after: Sessions): string {
  const known = new Map(before.map((session) => [session.id, session]))
  const changed = [...after.values()].filter((session) => {
    const was = known.get(session.id)
    return was?.state !== session.state || was.since !== session.since
  })
  const gone = before.filter(({ id }) => !after.has(id)).length
  const calls = changed.filter(needsUser).length
  const parts = [
    ...(calls > 0 ? [`${calls} now need you`] : []),
    ...(changed.length > calls ? [`${changed.length - calls} changed`] : []),
    ...(gone > 0 ? [`${gone} went away`] : []),
  ]
  return parts.length === 0 ? '' : `connected to the daemon again; meanwhile ${parts.join(', ')}`
}

const TROUBLE_MAX_COLUMNS = 100

/** SPEC BD10. What is wrong with the daemon, in one line; null if nothing is. */
export function warningOf({ lostSince, now, machine }: Board): string | null {
  if (lostSince !== null)
    return `lost connection to the daemon ${ageOf(now - lostSince)} ago, reconnecting`
  const [first, ...others] = machine?.troubles ?? []
  if (first === undefined) return null
  const more = others.length > 0 ? ` (and ${others.length} more: vigil doctor)` : ''
  return `${plain(first, TROUBLE_MAX_COLUMNS)}${more}`
}
