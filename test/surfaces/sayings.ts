import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { SETTINGS } from '../../src/home/settings-schema.ts'
import type { Session } from '../../src/protocol/session.ts'
import { drawFleet } from '../../src/surfaces/cli/session-table.ts'
import { fleetFigures } from '../../src/surfaces/cli/statusline-line.ts'
import { watchLine } from '../../src/surfaces/cli/watch.ts'
import { explained } from '../../src/surfaces/cli/why.ts'
import { messageOf } from '../../src/surfaces/notify/message.ts'
import { NOTHING_WRITTEN, plan } from '../../src/surfaces/tmux/plan.ts'
import { headLine } from '../../src/surfaces/tui/edge-lines.ts'
import { rowLine } from '../../src/surfaces/tui/list-lines.ts'
import type { TerminalLine } from '../../src/surfaces/tui/picture.ts'
import { FigureList } from '../../src/surfaces/web/board/figures.tsx'
import { SessionLine } from '../../src/surfaces/web/board/row.tsx'
import type { Shape } from '../../src/view/shape.ts'
import { segmentOf, summaryOf } from '../../src/view/summary.ts'
import { pageOf, press as pressOnPage } from '../support/page-state.ts'
import { press, viewOf } from '../support/view.ts'

/** A surface, brought down to the text a person reads on it. A new one gets its line here. */
export interface Saying {
  readonly name: string
  /** What it tells of a session, by the names of the one description. */
  readonly tells: readonly (keyof Shape)[]
  readonly of: (session: Session, now: number) => string
}

const plainly = (_: unknown, text: string) => text
/** Wide enough that nothing is cut off. */
const COLUMNS = 400

/** The list of the live view, before the first key. */
function viewLines(sessions: readonly Session[], now: number): readonly string[] {
  const look = { number: undefined, selected: false, now }
  const view = press(viewOf(sessions), 'c')
  return view.list.map((row) => textOf(rowLine(row, look, COLUMNS)))
}

const textOf = (line: TerminalLine) => line.map(({ text }) => text).join('')

/** A row of the page, as its text: what is not drawn but read out too. */
function pageRow(session: Session, now: number): string {
  const look = { number: null, selected: false, now, onChoose: () => {} }
  const markup = renderToStaticMarkup(createElement(SessionLine, { session, ...look }))
  return unmarked(markup)
}

function unmarked(markup: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }
  return markup
    .replace(/<\/?(strong|bdi)>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#x27|\w+);/g, (_, name) => entities[name] ?? "'")
    .replace(/ +/g, ' ')
}

export const SAYINGS: readonly Saying[] = [
  {
    name: 'vigil status',
    tells: ['mark', 'glyph', 'word', 'age', 'name', 'what', 'machine', 'heard', 'detached', 'loop'],
    of: (session, now) => drawFleet([session], now, COLUMNS, plainly)[2] ?? '',
  },
  {
    name: 'the live view',
    tells: [
      'mark',
      'glyph',
      'word',
      'age',
      'name',
      'what',
      'machine',
      'heard',
      'detached',
      'loop',
      'tasks',
      'context',
    ],
    of: (session, now) => viewLines([session], now)[0] ?? '',
  },
  {
    name: 'the page',
    tells: [
      'mark',
      'glyph',
      'word',
      'age',
      'name',
      'what',
      'machine',
      'heard',
      'detached',
      'loop',
      'tasks',
      'context',
    ],
    of: pageRow,
  },
  {
    name: 'vigil watch',
    tells: ['mark', 'glyph', 'word', 'name', 'what', 'machine', 'heard', 'detached', 'loop'],
    of: (session, now) => watchLine(now, session, plainly),
  },
  {
    name: 'vigil why',
    tells: ['glyph', 'word', 'age', 'name', 'machine', 'detached', 'loop'],
    of: (session, now) => {
      const nothing = { grounds: [], wouldChange: [], nextLook: null, heard: {}, history: [] }
      return explained({ session, ...nothing }, now, plainly).join('\n')
    },
  },
  {
    name: 'a notification',
    tells: ['glyph', 'word', 'name'],
    of: (session, now) => messageOf('id', now, [session], { hideSecrets: false }).title,
  },
]

/** Lists of sessions: one line each, in the order in which they are shown. */
export const LISTS: Readonly<
  Record<string, (sessions: readonly Session[], now: number) => readonly string[]>
> = {
  'vigil status': (sessions, now) =>
    drawFleet(sessions, now, COLUMNS, plainly, { all: true }).slice(2),
  'the live view': viewLines,
  'the page': (sessions, now) =>
    pressOnPage(pageOf(sessions), 'c').list.flatMap((row) =>
      row.kind === 'session' ? pageRow(row.session, now) : [],
    ),
}

/** All sessions in figures: `◆ 2 waiting`, or `◆2`. */
export const FIGURES: Readonly<Record<string, (sessions: readonly Session[]) => string>> = {
  'vigil status': (sessions) => drawFleet(sessions, 0, COLUMNS, plainly)[0] ?? '',
  'the live view': (sessions) => textOf(headLine(viewOf(sessions), COLUMNS)),
  'the page': (sessions) => unmarked(renderToStaticMarkup(createElement(FigureList, { sessions }))),
  'the status line': fleetFigures,
  'tmux’s status bar': (sessions) => segmentOf(summaryOf(sessions)),
}

/** What vigil writes to tmux for a window with these agents, one in each pane. */
export function tmuxSays(sessions: readonly Session[], now: number, target = '@1') {
  const inPanes = sessions.map((session, at) => ({ ...session, tmuxPane: `%${at}` }))
  const where = { tty: '', window: '@1', session: '$0', seen: false }
  const panes = inPanes.map(({ tmuxPane: id }) => ({ id, ...where }))
  const own = { name: 'zsh', auto: true, held: undefined, byHand: false, style: '', marked: false }
  const { written } = plan({
    seen: {
      panes: new Map(panes.map((pane) => [pane.id, pane])),
      windows: new Map([['@1', { id: '@1', ...own }]]),
      segment: '',
      activeAt: new Map(),
    },
    ...{ sessions: inPanes, autos: new Map(), segment: '', before: NOTHING_WRITTEN, now },
    settings: SETTINGS.parse({}).tmux,
  })
  const values = written.values.get(target)
  const [state, kind, unread] = ['state', 'for', 'unread'].map((one) =>
    values?.get(`@vigil_${one}`),
  )
  return { state, for: kind || null, unread: unread === '1' }
}
