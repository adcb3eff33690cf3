import { abilitiesOf, requestOf } from '../../view/board/abilities.ts'
import { detailsOf, noticed, selectedOf } from '../../view/board/board.ts'
import {
  dismissed,
  filtered,
  grouped,
  movedBy,
  nextOne,
  numbered,
  restored,
  unreadOne,
} from '../../view/board/choose.ts'
import { answeringKey, begun } from './answer-keys.ts'
import { geometryOf } from './geometry.ts'
import { requestPage } from './reading.ts'
import { paneKey, sayingKey } from './saying-keys.ts'
import { only, type TerminalState, type TerminalStep } from './state.ts'

/** A key by its letter or its name, as what it means where the view is. */
export function pressed(state: TerminalState, key: string): TerminalStep {
  if (key === 'ctrl-c') return { state, effects: [{ do: 'leave' }] }
  if (key === 'ctrl-z') return { state, effects: [{ do: 'suspend' }] }
  if (state.answering) return answeringKey(state, state.answering, key)
  if (state.saying) return sayingKey(state, state.saying, key)
  if (state.typing) return only(typed(state, key))
  if (state.shows === 'request') return inRequest(state, key)
  if (state.shows !== 'sessions') return inText(state, key)
  if (/^[1-9]$/.test(key)) return only(numbered(state, Number(key), sightOf(state)))
  return KEYS[key]?.(state) ?? only(state)
}

const KEYS: Readonly<Record<string, (state: TerminalState) => TerminalStep>> = {
  up: (state) => only(movedBy(state, -1)),
  k: (state) => only(movedBy(state, -1)),
  down: (state) => only(movedBy(state, 1)),
  j: (state) => only(movedBy(state, 1)),
  pageup: (state) => only(movedBy(state, -pageOf(state))),
  pagedown: (state) => only(movedBy(state, pageOf(state))),
  home: (state) => only(movedBy(state, Number.NEGATIVE_INFINITY)),
  end: (state) => only(movedBy(state, Number.POSITIVE_INFINITY)),
  enter: entered,
  n: (state) => only(nextOne(state)),
  f: (state) => only({ ...state, typing: true }),
  '/': (state) => only({ ...state, typing: true }),
  g: (state) => only(grouped(state)),
  u: read,
  y: (state) => begun(state, 'y'),
  Y: (state) => begun(state, 'Y'),
  d: (state) => begun(state, 'd'),
  ' ': (state) => only(reading(state)),
  t: (state) => paneKey(state, 't'),
  I: (state) => paneKey(state, 'I'),
  ':': (state) => paneKey(state, ':'),
  x: (state) => only(dismissed(state)),
  X: (state) => only(restored(state)),
  w: (state) => only(selectedOf(state) ? { ...state, shows: 'why', scroll: 0 } : state),
  '?': (state) => only({ ...state, shows: 'help', scroll: 0 }),
  escape: (state) => only(filtered(state, '')),
  q: (state) => only(state, { do: 'leave' }),
}

function pageOf(state: TerminalState): number {
  return Math.max(1, sightOf(state).count - 1)
}

function sightOf({ columns, rows, top }: TerminalState) {
  return { from: top, count: geometryOf(columns, rows).list.height }
}

/** To the session's pane; one that is closed is taken up again. */
function entered(state: TerminalState): TerminalStep {
  const session = selectedOf(state)
  if (!session) return only(state)
  const { jump, resume } = abilitiesOf(session, detailsOf(state))
  if (resume === null) return only(state, { do: 'resume', session })
  return jump === null ? only(state, { do: 'jump', session }) : only(noticed(state, jump))
}

function read(state: TerminalState): TerminalStep {
  const { board, session } = unreadOne(state)
  return session ? only(board, { do: 'read', session }) : only(board)
}

/** All of what is asked, on a page of its own. */
function reading(state: TerminalState): TerminalState {
  if (requestOf(state)) return { ...state, shows: 'request', scroll: 0 }
  return noticed(state, 'nothing more is known of what it asks')
}

/** Where a request is read: on through it, and its answer. No key leads past lines unseen. */
function inRequest(state: TerminalState, key: string): TerminalStep {
  if (key === 'y' || key === 'Y' || key === 'd') return begun(state, key)
  const session = selectedOf(state)
  const request = requestOf(state)
  if (!session || !request || ['escape', 'q', 'enter'].includes(key))
    return only({ ...state, shows: 'sessions', scroll: 0 })
  const by = READS[key]?.(requestPage(state, session, request).step)
  return only(by === undefined ? state : { ...state, scroll: Math.max(0, state.scroll + by) })
}

function typed(state: TerminalState, key: string): TerminalState {
  const { filter } = state
  if (key === 'enter') return { ...state, typing: false }
  if (key === 'escape') return filtered({ ...state, typing: false }, '')
  if (key === 'backspace') return filtered(state, [...filter].slice(0, -1).join(''))
  if (key === 'up' || key === 'down') return movedBy(state, key === 'up' ? -1 : 1)
  return [...key].length === 1 ? filtered(state, filter + key) : state
}

/** Why and help are left by the key that led there, by Esc and by q; else one scrolls in them. */
function inText(state: TerminalState, key: string): TerminalStep {
  const leaves = ['escape', 'q', 'enter', state.shows === 'why' ? 'w' : '?']
  if (leaves.includes(key)) return only({ ...state, shows: 'sessions', scroll: 0 })
  const by = SCROLLS[key]?.(pageOf(state))
  return only(by === undefined ? state : { ...state, scroll: Math.max(0, state.scroll + by) })
}

const SCROLLS: Readonly<Record<string, (page: number) => number>> = {
  up: () => -1,
  k: () => -1,
  down: () => 1,
  j: () => 1,
  pageup: (page) => -page,
  pagedown: (page) => page,
}

const READS: typeof SCROLLS = { ...SCROLLS, ' ': (page) => page, b: (page) => -page }
