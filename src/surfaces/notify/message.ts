import type { Session } from '../../daemon/session.ts'
import { byAttention, detailOf, glyphOf, nameOf, wordsOf } from '../../view/session.ts'
import { BODY_MAX, TITLE_MAX } from './limits.ts'
import { type Leaving, told } from './text.ts'

/** What a channel is given to tell. All text is harmless, and as short as may be. */
export interface Message {
  /** Names it for ever; letters, digits and hyphens. */
  readonly id: string
  readonly at: number
  readonly title: string
  readonly body: string
  /** Somebody waits for its user; nothing waits for who is merely done. */
  readonly urgent: boolean
  /** The neediest first. */
  readonly sessions: readonly About[]
  readonly places: readonly Place[]
}

/** What may be told of a session to who asks for more than words. */
export interface About {
  readonly id: string
  readonly agent: string
  readonly host: string
  readonly project: string | null
  readonly branch: string | null
  readonly state: string
  readonly for: string | null
  readonly since: number
}

/** Where its terminal is; never told to anybody. */
export type Place = Pick<Session, 'tmuxSocket' | 'tmuxPane' | 'tty' | 'terminal'>

/** Named one by one; of the rest the number is told. */
const NAMED_MAX = 5
const NAME_MAX = 30
const SESSIONS_MAX = 50

/** SPEC NO13. One session by what it asks, several by their names. */
export function messageOf(
  id: string,
  at: number,
  sessions: readonly Session[],
  leaving: Leaving,
): Message {
  const ordered = sessions.toSorted(byAttention)
  const [first] = ordered
  const words =
    first && ordered.length === 1 ? wordsOfOne(first, leaving) : wordsOfMany(ordered, leaving)
  return {
    id,
    at,
    ...words,
    urgent: ordered.some(({ state }) => state !== 'idle'),
    sessions: ordered.slice(0, SESSIONS_MAX).map((session) => aboutOf(session, leaving)),
    places: ordered.slice(0, SESSIONS_MAX),
  }
}

/** What `vigil notify test` sends. */
export function testMessage(id: string, at: number, place: Place): Message {
  const body = 'A test. So it looks when an agent needs you.'
  return { id, at, title: '⏸ vigil: this works', body, urgent: true, sessions: [], places: [place] }
}

function wordsOfOne(session: Session, leaving: Leaving): Pick<Message, 'title' | 'body'> {
  const { branch, cause } = session
  const title = `${glyphOf(session)} ${nameIn(session, leaving)}: ${wordsOf(session)}`
  const detail = detailOf(session) || cause || session.reason
  const body = branch === null || branch === '' ? detail : `${detail} (${branch})`
  return { title: told(title, TITLE_MAX, leaving), body: told(body, BODY_MAX, leaving) }
}

function wordsOfMany(
  ordered: readonly Session[],
  leaving: Leaving,
): Pick<Message, 'title' | 'body'> {
  const named = ordered
    .slice(0, NAMED_MAX)
    .map((session) => `${glyphOf(session)} ${nameIn(session, leaving)}`)
  const more = ordered.length - named.length
  const body = [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
  return {
    title: `vigil: ${ordered.length} sessions need you`,
    body: told(body, BODY_MAX, leaving),
  }
}

function nameIn(session: Session, leaving: Leaving): string {
  return told(nameOf(session), NAME_MAX, leaving)
}

function aboutOf(session: Session, leaving: Leaving): About {
  const { id, agent, host, project, branch, state, for: kind, since } = session
  const safe = (text: string | null) => text && told(text, TITLE_MAX, leaving)
  const plain = { hideSecrets: false }
  return {
    id: told(id, TITLE_MAX, plain),
    agent,
    host,
    project: safe(project),
    branch: safe(branch),
    state,
    for: kind,
    since,
  }
}
