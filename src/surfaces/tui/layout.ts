import { requestOf } from '../../view/board/abilities.ts'
import { detailsOf, selectedOf } from '../../view/board/board.ts'
import { NO_SESSIONS } from '../cli/listed.ts'
import { answerLines } from './answer-lines.ts'
import { detailLines, titleLine } from './details-lines.ts'
import { footLine, headLine, noteLine } from './edge-lines.ts'
import { type Geometry, geometryOf } from './geometry.ts'
import { helpLines } from './help-lines.ts'
import { rowLine } from './list-lines.ts'
import { block, type Strip, type TerminalLine, type TerminalPicture } from './picture.ts'
import { detailsRoom, placesOf, requestPage } from './reading.ts'
import type { TerminalState } from './state.ts'
import { widthOf } from './text.ts'
import { whyLines } from './why-lines.ts'

/** The picture of the whole terminal. */
export function pictureOf(state: TerminalState): TerminalPicture {
  const { columns, rows } = state
  const geometry = placesOf(state)
  const { width, foot } = geometry
  const line = (row: number, content: TerminalLine) =>
    block([content], { row, column: 0, width, height: 1 })
  const strips = [
    ...line(0, headLine(state, width)),
    ...line(1, state.shows === 'pane' ? paneTitle(state) : noteLine(state, width)),
    ...(isList(state, geometry) ? sessions(state, geometry) : text(state, geometry)),
    ...line(foot - 1, []),
    ...line(foot, footLine(state, width)),
  ]
  return { columns, rows, strips: onlyRoom(strips, columns, rows) }
}

/** If there is no room beside or below the list, the answer takes its place. */
function isList({ shows, answering }: TerminalState, { details }: Geometry): boolean {
  return shows === 'sessions' && (answering === null || details !== null)
}

/** On a terminal too small for everything the first strips of the picture have priority. */
function onlyRoom(strips: readonly Strip[], columns: number, rows: number): readonly Strip[] {
  const taken = new Set<string>()
  return strips.filter(({ row, column, width }) => {
    const place = `${row}:${column}`
    if (row < 0 || row >= rows || width < 1 || column >= columns || taken.has(place)) return false
    taken.add(place)
    return true
  })
}

function sessions(state: TerminalState, geometry: Geometry): readonly Strip[] {
  const { list, details, rule } = geometry
  const lines = state.list.length === 0 ? emptyLines(state) : listLines(state, geometry)
  return [
    ...block(lines, list),
    ...(rule ? ruleStrips(state, rule) : []),
    ...(details ? block(detailsBlock(state), details) : []),
  ]
}

function listLines(state: TerminalState, { list }: Geometry): readonly TerminalLine[] {
  const inSight = state.list.slice(state.top, state.top + list.height)
  let number = 0
  return inSight.map((row) => {
    if (row.kind === 'session') number += 1
    const look = {
      number: row.kind === 'session' && number <= 9 ? number : undefined,
      selected: row.kind === 'session' && row.session.id === state.selected,
      now: state.now,
    }
    return rowLine(row, look, list.width)
  })
}

/** Why the list is empty. */
function emptyLines({ loading, sessions, filter }: TerminalState): readonly TerminalLine[] {
  if (loading) return [[{ text: ' waiting for the daemon …', dim: true }]]
  if (sessions.size > 0)
    return [
      [
        {
          text:
            filter === ''
              ? ' All sessions are dismissed; press X to show them.'
              : ' No session matches the filter.',
        },
      ],
    ]
  return NO_SESSIONS.map((text) => [{ text: ` ${text}` }])
}

/** Below the list the rule contains the name; beside it the rule is only a line. */
function ruleStrips(state: TerminalState, rule: NonNullable<Geometry['rule']>): readonly Strip[] {
  if (rule.width === 1) {
    const upright = Array.from(
      { length: rule.height },
      (): TerminalLine => [{ text: '│', dim: true }],
    )
    return block(upright, rule)
  }
  const session = selectedOf(state)
  const title = session ? titleLine(session, state.now) : []
  const used = title.reduce((sum, { text }) => sum + widthOf(text), 0)
  const more = Math.max(0, rule.width - used - (used > 0 ? 5 : 0))
  const name: TerminalLine = used > 0 ? [{ text: '── ', dim: true }, ...title, { text: '  ' }] : []
  return block([[...name, { text: '─'.repeat(more), dim: true }]], rule)
}

function detailsBlock(state: TerminalState): readonly TerminalLine[] {
  const session = selectedOf(state)
  const room = detailsRoom(state)
  if (!session || !room) return []
  const title = room.titleRows > 0 ? [titleLine(session, state.now), []] : []
  const { answering } = state
  if (answering?.request.session === session.id)
    return [...title, ...answerLines(answering, room.width)]
  return [...title, ...detailLines(state, room)]
}

/** A page of text in place of the list, scrolled. */
function text(state: TerminalState, geometry: Geometry): readonly Strip[] {
  const request = readRequest(state)
  if (request) return block(request.lines, request.place)
  const { lines, place } = pageOf(state, geometry)
  // An answer begins at its top, however far the user had scrolled before.
  const scroll = state.answering ? 0 : state.scroll
  const from = Math.min(scroll, Math.max(0, lines.length - place.height))
  return block(lines.slice(from), place)
}

/** The largest scroll position. */
export function scrollMax(state: TerminalState): number {
  const request = readRequest(state)
  if (request) return request.scrollMax
  const { lines, place } = pageOf(state, geometryOf(state.columns, state.rows))
  return Math.max(0, lines.length - place.height)
}

/** The page of a request, if it is shown. */
function readRequest(state: TerminalState) {
  const session = selectedOf(state)
  const request = requestOf(state)
  if (state.shows !== 'request' || state.answering || !session || !request) return undefined
  return requestPage(state, session, request)
}

function pageOf(state: TerminalState, { list, foot, width }: Geometry) {
  const place = { row: list.row, column: 2, width: width - 2, height: foot - 1 - list.row }
  if (state.answering) return { lines: answerLines(state.answering, place.width), place }
  const session = selectedOf(state)
  if (state.shows === 'help' || !session) return { lines: helpLines(), place }
  const { now } = state
  if (state.shows === 'pane') return { lines: paneTexts(state, session.id), place }
  const why = whyLines(session, detailsOf(state), now, place.width)
  return { lines: [titleLine(session, now), [], ...why], place }
}

/** Above the lines, at every scroll position. */
function paneTitle(state: TerminalState): TerminalLine {
  const session = selectedOf(state)
  return session ? [{ text: ' its pane: ', dim: true }, ...titleLine(session, state.now)] : []
}

/** SPEC TU30. Without colours, so that the pane's text cannot look like vigil's. */
function paneTexts({ pane }: TerminalState, session: string): readonly TerminalLine[] {
  if (pane?.session !== session) return [[{ text: 'waiting for tmux …', dim: true }]]
  if (pane.why !== null) return [[{ text: pane.why, colour: 'yellow' }]]
  const texts = pane.lines.map((line) => line.replaceAll(COLOURS, '').trimEnd())
  const end = texts.findLastIndex((text) => text !== '') + 1
  // Clients draw at the bottom of their screen: consecutive blank lines become one.
  const told = texts.slice(0, end).filter((text, at) => text !== '' || texts[at - 1] !== '')
  return told.map((text) => [{ text: '│ ', dim: true }, { text }])
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what colours begin with
const COLOURS = /\x1b\[[\d;:]*m/g
