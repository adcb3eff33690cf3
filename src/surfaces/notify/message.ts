import { readAddress } from '../../protocol/address.ts'
import type { Session } from '../../protocol/session.ts'
import { timeOfDay } from '../../view/loop.ts'
import { askedOf, byAttention, detailOf, glyphOf, wordsOf } from '../../view/session.ts'
import { prefixOf } from '../../view/shape.ts'
import type { AnswerButtons } from './ask.ts'
import { BODY_MAX, RAW_MAX, TITLE_MAX } from './limits.ts'
import { type Leaving, told } from './text.ts'

/** A message for a channel. All text is safe, and within its length. */
export interface Message {
  /** Its unique name; letters, digits and hyphens. */
  readonly id: string
  readonly at: number
  readonly title: string
  readonly body: string
  /** A session waits for the user; a session that is merely done is not urgent. */
  readonly urgent: boolean
  /** Most urgent first. */
  readonly sessions: readonly About[]
  readonly places: readonly TerminalPlace[]
  /** Where it can be answered from another device, if the user has shared the page. */
  readonly link: string | null
  /** What its buttons answer, if the channel has buttons. */
  readonly ask: AnswerButtons | null
}

/** The fields of a session that a webhook gets. */
type About = Pick<
  Session,
  'id' | 'machine' | 'agent' | 'host' | 'project' | 'branch' | 'for' | 'since'
> & { readonly state: string }

/** Where its terminal is; never sent anywhere. */
export type TerminalPlace = Pick<Session, 'tmuxSocket' | 'tmuxPane' | 'tty' | 'pid' | 'terminal'>

/** The message names up to this many sessions, and the number of the others. */
const NAMED_MAX = 5
const NAME_MAX = 30
const SESSIONS_MAX = 50

/** How the request can be answered. */
interface Way {
  readonly page?: string | undefined
  readonly ask?: AnswerButtons | null
}

/** SPEC NO13. One session with its request, several by their names. */
export function messageOf(
  id: string,
  at: number,
  sessions: readonly Session[],
  leaving: Leaving,
  { page, ask = null }: Way = {},
): Message {
  const ordered = sessions.toSorted(byAttention).map((session) => safe(session, leaving))
  const [first] = ordered
  const words =
    first && ordered.length === 1 ? wordsOfOne(first, leaving) : wordsOfMany(ordered, leaving)
  return {
    id,
    at,
    ...words,
    ...(ask && { body: ask.words }),
    urgent: ordered.some(({ state }) => state !== 'idle'),
    sessions: ordered.slice(0, SESSIONS_MAX).map((session) => aboutOf(session, leaving)),
    places: ordered.slice(0, SESSIONS_MAX),
    link: page === undefined ? null : linkTo(page, ordered),
    ask,
  }
}

/** SPEC AN28. A link to the session, or to all sessions; it contains no words of an agent. */
function linkTo(page: string, [first, second]: readonly Session[]): string {
  if (!first || second) return `${page}/#/`
  return `${page}/#/s/${encodeURIComponent(first.id.toWellFormed())}`
}

/** The message of `vigil notify test`. */
export function testMessage(id: string, at: number, place: TerminalPlace): Message {
  const body = 'A test. This is how a notification looks when an agent needs you.'
  const title = '◆ vigil: this works'
  const way = { link: null, ask: null }
  return { id, at, title, body, urgent: true, sessions: [], places: [place], ...way }
}

/**
 * SPEC NO12. Cleans the texts before the view cuts them, because half a secret cannot be
 * recognised.
 */
function safe(session: Session, leaving: Leaving): Session {
  const all = <T extends string | null | undefined>(text: T) =>
    (text ? told(text, RAW_MAX, leaving) : text) as T
  const { request, doing, tasks, loop } = session
  // The title of a plan, taken while its lines are still separate.
  const asked = request && askedOf(session)
  return {
    ...session,
    name: all(session.name),
    title: all(session.title),
    // SPEC NO13. The user's prompt stays on the machine.
    prompt: null,
    reply: all(session.reply),
    project: all(session.project),
    branch: all(session.branch),
    cause: all(session.cause),
    reason: all(session.reason),
    request: asked ? { ...request, text: all(asked) } : request,
    doing: doing?.label ? { ...doing, label: all(doing.label) } : doing,
    loop: loop && { ...loop, hold: all(loop.hold) },
    tasks: tasks.map((task) => (task.label ? { ...task, label: all(task.label) } : task)),
  }
}

function wordsOfOne(session: Session, leaving: Leaving): Pick<Message, 'title' | 'body'> {
  const title = `${glyphOf(session)} ${nameIn(session, leaving)}: ${wordsOf(session)}`
  const what = detailOf(session) || session.cause || session.reason
  const where = session.branch ? ` (${session.branch})` : ''
  // The title names its machine already.
  const prefix = prefixOf({ ...session, own: true }, timeOfDay)
  const body = `${prefix}${what}${where}`
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

/** SPEC FL92. A session of another machine with the machine's name. */
function nameIn({ name, own, host }: Session, leaving: Leaving): string {
  const called = told(name, NAME_MAX, leaving)
  return own ? called : `${called} on ${told(host, NAME_MAX, leaving)}`
}

function aboutOf(session: Session, leaving: Leaving): About {
  const { id, agent, machine, host, project, branch, state, for: kind, since } = session
  const short = <T extends string | null>(text: T) => (text && told(text, TITLE_MAX, leaving)) as T
  const own = told(readAddress(id).session, TITLE_MAX, { hideSecrets: false })
  const where = { project: short(project), branch: short(branch) }
  return { id: own, machine, host, agent, ...where, state, for: kind, since }
}
