import { detachedLine } from '../../core/words.ts'
import type { OpenRequest } from '../../protocol/request.ts'
import type { Session } from '../../protocol/session.ts'
import { isStale, UNREACHABLE } from '../freshness.ts'
import { plain } from '../session.ts'
import { type Board, detailsOf, type SessionDetails, selectedOf } from './board.ts'

/**
 * SPEC BD5. The one rule: the session's row names the requests that can be answered from here.
 * SPEC FL82. The row of an unreachable machine may be old.
 */
export function canAnswer(session: Session | undefined, { id }: OpenRequest): boolean {
  return session?.asks.includes(id) === true && !isStale(session)
}

/**
 * The session's open requests, oldest first. A request that could be answered is over when the row
 * does not name it; any other ends with its dialog.
 */
export function openRequestsOf(session: Session, { requests }: SessionDetails) {
  // A session without hooks waits, and no signal says for what.
  const isOpen = session.request !== null || session.state === 'waiting'
  return requests.filter(
    (one) => canAnswer(session, one) || ((isStale(session) || !one.answerable) && isOpen),
  )
}

/** The request that keys act on: the first that can be answered, or else the newest. */
export function mainRequest(
  session: Session,
  details: SessionDetails | null,
): OpenRequest | undefined {
  const open = details ? openRequestsOf(session, details) : []
  return open.find((request) => canAnswer(session, request)) ?? open.at(-1)
}

export function requestOf(board: Board): OpenRequest | undefined {
  const session = selectedOf(board)
  return session && mainRequest(session, detailsOf(board))
}

/** What can be done with a session: null if it can be done, otherwise the reason why not. */
export interface Abilities {
  readonly answer: string | null
  readonly jump: string | null
  readonly resume: string | null
  readonly type: string | null
  readonly prompt: string | null
  readonly interrupt: string | null
  readonly pauseLoop: string | null
  readonly resumeLoop: string | null
  readonly stopLoop: string | null
}

/** SPEC BD6. Shown in advance; the daemon decides again when the user acts. */
export function abilitiesOf(session: Session, details: SessionDetails | null): Abilities {
  const { state, tmuxPane } = session
  const closed = state === 'closed' ? 'the session is closed' : null
  const lost = isStale(session) ? UNREACHABLE : null
  const type = closed ?? lost ?? (tmuxPane === null ? NO_PANE : null)
  // SPEC CX45. A session without a terminal is held by its agent's server.
  const send = session.detached ? (closed ?? lost) : type
  const works = state === 'working' || state === 'stuck'
  // The daemon knows which agents queue input while they work.
  const takes = works || state === 'idle' || state === 'error' || state === 'background'
  return {
    answer: whyNoAnswer(session, details),
    jump: closed ?? whyNoJump(session),
    resume: closed === null ? 'the session is not closed' : whyNoResume(session),
    type,
    prompt: send ?? (takes ? null : `it is ${state}; wait until it is idle to send a prompt`),
    interrupt: send ?? (works ? null : `it is ${state}; there is nothing to interrupt`),
    ...loopAbilities(session, details),
  }
}

const NO_PANE = 'the session is not in tmux'

/** SPEC TM36. A detached session is shown in a new window. */
function whyNoJump(session: Session): string | null {
  if (session.detached) return session.attach === null ? detachedLine(session) : null
  return session.tmuxPane === null ? `${NO_PANE}${atTerminal(session)}` : null
}

/** SPEC FL91. The agent and the folder are on that machine. */
function whyNoResume({ own, host }: Session): string | null {
  return own ? null : `the session is closed; resume it on ${plain(host, HOST_MAX_COLUMNS)}`
}

const HOST_MAX_COLUMNS = 40

function atTerminal({ tty, terminal }: Session): string {
  const place = tty ?? terminal
  return place === null ? '' : `; it runs in ${place}`
}

function whyNoAnswer(session: Session, details: SessionDetails | null): string | null {
  if (isStale(session)) return UNREACHABLE
  const request = mainRequest(session, details)
  if (!request) return 'the session has no request that can be answered here'
  if (canAnswer(session, request)) return null
  return request.why ?? 'this request can only be answered in its terminal'
}

const NO_LOOP = 'the session is not in a loop'

function loopAbilities(session: Session, details: SessionDetails | null) {
  if (isStale(session))
    return { pauseLoop: UNREACHABLE, resumeLoop: UNREACHABLE, stopLoop: UNREACHABLE }
  const loop = details?.loop
  if (!loop?.open) return { pauseLoop: NO_LOOP, resumeLoop: NO_LOOP, stopLoop: NO_LOOP }
  const isHeld = loop.hold !== null
  return {
    pauseLoop: isHeld ? 'its loop is paused' : null,
    resumeLoop: isHeld ? null : 'its loop is running',
    stopLoop: null,
  }
}
