import type { OpenRequest } from '../../protocol/request.ts'
import type { Session } from '../../protocol/session.ts'
import { requestOf } from '../../view/board/abilities.ts'
import { selectedOf } from '../../view/board/board.ts'
import { SEEN_MS } from './answer-keys.ts'
import { detailLines, showsWholeRequest, titleLine } from './details-lines.ts'
import { type Geometry, geometryOf, grown } from './geometry.ts'
import type { TerminalLine } from './picture.ts'
import { requestLines } from './request-lines.ts'
import type { TerminalState } from './state.ts'

/** The name, a blank line, and at the end how much is below. */
const AROUND_ROWS = 3

/** The page of a whole request, scrolled. */
export function requestPage(
  state: TerminalState,
  session: Session,
  request: OpenRequest,
): PageOfRequest {
  const { list, foot, width } = geometryOf(state.columns, state.rows)
  const place = { row: list.row, column: 2, width: width - 2, height: foot - 1 - list.row }
  const asked = requestLines(request, place.width)
  const room = Math.max(1, place.height - AROUND_ROWS)
  const scrollMax = Math.max(0, asked.length - room)
  const from = Math.min(state.scroll, scrollMax)
  const below = Math.max(0, asked.length - from - room)
  const lines = [
    titleLine(session, state.now),
    [{ text: `${request.tool}: the whole request`, dim: true }],
    ...asked.slice(from, from + room),
    endLine(from, below),
  ]
  return { place, lines, scrollMax, step: Math.max(1, room - 1), isEnd: below === 0 }
}

interface PageOfRequest {
  readonly place: { row: number; column: number; width: number; height: number }
  readonly lines: readonly TerminalLine[]
  readonly scrollMax: number
  /** The next page: one line stays visible. */
  readonly step: number
  readonly isEnd: boolean
}

function endLine(above: number, below: number): TerminalLine {
  const up: TerminalLine = above > 0 ? [{ text: `▲ ${above} above (b)   `, dim: true }] : []
  if (below === 0) return [...up, { text: 'end of the request', dim: true }]
  const lines = below === 1 ? 'line' : 'lines'
  return [
    ...up,
    { text: `▼ ${below} more ${lines} below: `, colour: 'yellow' },
    { text: 'space', bold: true },
  ]
}

/** SPEC SH8, TU29. Where the parts are; details use rows that the list leaves empty. */
export function placesOf(state: TerminalState): Geometry {
  const geometry = geometryOf(state.columns, state.rows)
  const { list, details } = geometry
  const free = list.height - state.list.length - 1
  if (!details || free <= 0 || !selectedOf(state)) return geometry
  const room = { width: details.width, height: details.height + free }
  return grown(geometry, Math.min(detailLines(state, room).length - details.height, free))
}

/** Where the details of the selected session are, and how much room they have. */
export function detailsRoom(state: TerminalState) {
  const { details, rule } = placesOf(state)
  if (!details) return null
  // Beside the list the name is above them.
  const titleRows = rule?.width === 1 ? 2 : 0
  return { width: details.width, height: details.height - titleRows, titleRows }
}

/**
 * SPEC SH8. How much of the request has been visible. Another request, another content or another
 * size starts again, because the lines may have moved.
 */
export function afterLook(state: TerminalState): TerminalState {
  const [session, request] = [selectedOf(state), requestOf(state)]
  if (!session || !request) return state.read === null ? state : { ...state, read: null }
  const { id, digest } = request
  const key = [id, digest, state.columns, state.rows].join()
  const before = state.read?.key === key ? state.read : { key, since: state.now, wholeAt: null }
  const { wholeAt } = before
  // Visible for long enough counts as seen; a shorter time does not.
  const isSeen = wholeAt !== null && state.now - wholeAt >= SEEN_MS
  const isIn = isSeen || isWhole(state, session, request)
  if (isIn && wholeAt !== null) return state.read === before ? state : { ...state, read: before }
  return { ...state, read: { ...before, wholeAt: isIn ? state.now : null } }
}

function isWhole(state: TerminalState, session: Session, request: OpenRequest): boolean {
  if (state.answering) return false
  if (state.shows === 'request') return requestPage(state, session, request).isEnd
  const room = detailsRoom(state)
  return state.shows === 'sessions' && room !== null && showsWholeRequest(state, room)
}
