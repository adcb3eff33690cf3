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
  unfolded,
  unreadOne,
} from '../../view/board/choose.ts'
import { answeringKey, begun } from './answer-keys.ts'
import { geometryOf } from './geometry.ts'
import { requestPage } from './reading.ts'
import { paneKey, sayingKey } from './saying-keys.ts'
import { stepWith, type TerminalState, type TerminalStep } from './state.ts'

/** Handles a key by its letter or name; its meaning depends on the mode of the view. */
export function terminalKey(state: TerminalState, key: string): TerminalStep {
  if (key === 'ctrl-c') return { state, effects: [{ do: 'leave' }] }
  if (key === 'ctrl-z') return { state, effects: [{ do: 'suspend' }] }
  if (state.answering) return answeringKey(state, state.answering, key)
  if (state.saying) return sayingKey(state, state.saying, key)
  if (state.typing) return stepWith(typed(state, key))
  if (state.shows === 'request') return inRequest(state, key)
  if (state.shows !== 'sessions') return inText(state, key)
  if (/^[1-9]$/.test(key)) return stepWith(numbered(state, Number(key), sightOf(state)))
  return KEYS[key]?.(state) ?? stepWith(state)
}

const KEYS: Readonly<Record<string, (state: TerminalState) => TerminalStep>> = {
  up: (state) => stepWith(movedBy(state, -1)),
  k: (state) => stepWith(movedBy(state, -1)),
  down: (state) => stepWith(movedBy(state, 1)),
  j: (state) => stepWith(movedBy(state, 1)),
  pageup: (state) => stepWith(movedBy(state, -pageOf(state))),
  pagedown: (state) => stepWith(movedBy(state, pageOf(state))),
  home: (state) => stepWith(movedBy(state, Number.NEGATIVE_INFINITY)),
  end: (state) => stepWith(movedBy(state, Number.POSITIVE_INFINITY)),
  enter: entered,
  n: (state) => stepWith(nextOne(state)),
  f: (state) => stepWith({ ...state, typing: true }),
  '/': (state) => stepWith({ ...state, typing: true }),
  g: (state) => stepWith(grouped(state)),
  u: read,
  y: (state) => begun(state, 'y'),
  Y: (state) => begun(state, 'Y'),
  d: (state) => begun(state, 'd'),
  ' ': (state) => stepWith(reading(state)),
  t: (state) => paneKey(state, 't'),
  I: (state) => paneKey(state, 'I'),
  ':': (state) => paneKey(state, ':'),
  x: (state) => stepWith(dismissed(state)),
  X: (state) => stepWith(restored(state)),
  c: (state) => stepWith(unfolded(state)),
  p: (state) => paneKey(state, 'p'),
  w: (state) => stepWith(selectedOf(state) ? { ...state, shows: 'why', scroll: 0 } : state),
  '?': (state) => stepWith({ ...state, shows: 'help', scroll: 0 }),
  escape: (state) => stepWith(filtered(state, '')),
  q: (state) => stepWith(state, { do: 'leave' }),
}

function pageOf(state: TerminalState): number {
  return Math.max(1, sightOf(state).count - 1)
}

function sightOf({ columns, rows, top }: TerminalState) {
  return { from: top, count: geometryOf(columns, rows).list.height }
}

/** Goes to the session's pane, or resumes a closed session. */
function entered(state: TerminalState): TerminalStep {
  const session = selectedOf(state)
  if (!session) return stepWith(state)
  const { jump, resume } = abilitiesOf(session, detailsOf(state))
  if (resume === null) return stepWith(state, { do: 'resume', session })
  return jump === null ? stepWith(state, { do: 'jump', session }) : stepWith(noticed(state, jump))
}

function read(state: TerminalState): TerminalStep {
  const { board, session } = unreadOne(state)
  return session ? stepWith(board, { do: 'read', session }) : stepWith(board)
}

/** The whole request on a page of its own. */
function reading(state: TerminalState): TerminalState {
  if (requestOf(state)) return { ...state, shows: 'request', scroll: 0 }
  return noticed(state, 'vigil knows no more about this request')
}

/** Keys on the page of a request: scroll on, and answer. No key skips lines. */
function inRequest(state: TerminalState, key: string): TerminalStep {
  if (key === 'y' || key === 'Y' || key === 'd') return begun(state, key)
  const session = selectedOf(state)
  const request = requestOf(state)
  if (!session || !request || ['escape', 'q', 'enter'].includes(key))
    return stepWith({ ...state, shows: 'sessions', scroll: 0 })
  const by = READS[key]?.(requestPage(state, session, request).step)
  return stepWith(by === undefined ? state : { ...state, scroll: Math.max(0, state.scroll + by) })
}

function typed(state: TerminalState, key: string): TerminalState {
  const { filter } = state
  if (key === 'enter') return { ...state, typing: false }
  if (key === 'escape') return filtered({ ...state, typing: false }, '')
  if (key === 'backspace') return filtered(state, [...filter].slice(0, -1).join(''))
  if (key === 'up' || key === 'down') return movedBy(state, key === 'up' ? -1 : 1)
  return [...key].length === 1 ? filtered(state, filter + key) : state
}

/** The key that opened a text closes it, and so do Esc and q; other keys scroll. */
function inText(state: TerminalState, key: string): TerminalStep {
  const leaves = ['escape', 'q', 'enter', LED_BY[state.shows]]
  if (leaves.includes(key)) return stepWith({ ...state, shows: 'sessions', scroll: 0 })
  const by = SCROLLS[key]?.(pageOf(state))
  return stepWith(by === undefined ? state : { ...state, scroll: Math.max(0, state.scroll + by) })
}

const LED_BY: Readonly<Record<string, string>> = { why: 'w', pane: 'p', help: '?' }

const SCROLLS: Readonly<Record<string, (page: number) => number>> = {
  up: () => -1,
  k: () => -1,
  down: () => 1,
  j: () => 1,
  pageup: (page) => -page,
  pagedown: (page) => page,
}

const READS: typeof SCROLLS = { ...SCROLLS, ' ': (page) => page, b: (page) => -page }
