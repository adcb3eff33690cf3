import type { Session } from '../../../protocol/session.ts'
import { inAttention } from '../../../view/order.ts'
import { nameOf, needsUser, plain, wordsOf } from '../../../view/session.ts'

type Known = ReadonlyMap<string, Session>

/** Who needs its user and did not, or does for something else, the neediest first. */
export function began(before: Known, after: Known): readonly Session[] {
  const news = [...after.values()].filter((session) => {
    if (!needsUser(session)) return false
    const was = before.get(session.id)
    return was !== session && (!was || !needsUser(was) || callOf(was) !== callOf(session))
  })
  return inAttention(news)
}

/** Who needed its user and does not any more. */
export function ended(before: Known, after: Known): readonly string[] {
  return [...before.values()]
    .filter((session) => needsUser(session))
    .map(({ id }) => id)
    .filter((id) => {
      const session = after.get(id)
      return !session || !needsUser(session)
    })
}

function callOf({ state, for: kind, request, since }: Session): string {
  return [state, kind, request?.at ?? since].join()
}

/** Named one by one; of more only their number is of use to who listens. */
const NAMED_MAX = 3
const NAME_MAX_COLUMNS = 60

/** `payments: waiting for permission`, for who listens. */
export function saidOf(sessions: readonly Session[]): string {
  if (sessions.length > NAMED_MAX) return `${sessions.length} sessions need you`
  return sessions
    .map((session) => `${plain(nameOf(session), NAME_MAX_COLUMNS)}: ${wordsOf(session)}`)
    .join('; ')
}

/** What happened while the daemon was lost, in one sentence; nothing if nothing did. */
export function meanwhile(before: readonly Session[], after: Known): string {
  const known = new Map(before.map((session) => [session.id, session]))
  const changed = [...after.values()].filter((session) => {
    const was = known.get(session.id)
    return was?.state !== session.state || was.since !== session.since
  })
  const gone = before.filter(({ id }) => !after.has(id)).length
  const calls = changed.filter(needsUser).length
  const parts = [
    ...(calls > 0 ? [`${calls} came to need you`] : []),
    ...(changed.length > calls ? [`${changed.length - calls} changed`] : []),
    ...(gone > 0 ? [`${gone} went away`] : []),
  ]
  return parts.length === 0 ? '' : `the daemon is back; meanwhile ${parts.join(', ')}`
}
