import type { Session } from '../../protocol/session.ts'
import { nextNeedy } from '../../view/order.ts'
import { GROUPS, type Row, rowsOf } from '../../view/rows.ts'
import { needsUser } from '../../view/session.ts'
import { type AnswerKey, answeringKey, begun } from './answer-keys.ts'
import { geometryOf } from './geometry.ts'
import { noticed } from './notice.ts'
import { requestOf, requestPage } from './reading.ts'
import { paneKey, sayingKey } from './saying-keys.ts'
import type { Effect, State, Step } from './state.ts'

/** A key by its letter or its name, as what it means where the view is. */
export function pressed(state: State, key: string): Step {
  if (key === 'ctrl-c') return { state, effects: [{ do: 'leave' }] }
  if (key === 'ctrl-z') return { state, effects: [{ do: 'suspend' }] }
  if (state.answering) return answeringKey(state, state.answering, key)
  if (state.saying) return sayingKey(state, state.saying, key)
  if (state.typing) return only(typed(state, key))
  if (state.shows === 'request') return inRequest(state, key)
  if (state.shows !== 'sessions') return inText(state, key)
  if (/^[1-9]$/.test(key)) return only(numbered(state, Number(key)))
  return KEYS[key]?.(state) ?? only(state)
}

function only(state: State, ...effects: Effect[]): Step {
  return { state, effects }
}

const KEYS: Readonly<Record<string, (state: State) => Step>> = {
  up: (state) => only(moved(state, -1)),
  k: (state) => only(moved(state, -1)),
  down: (state) => only(moved(state, 1)),
  j: (state) => only(moved(state, 1)),
  pageup: (state) => only(moved(state, -pageOf(state))),
  pagedown: (state) => only(moved(state, pageOf(state))),
  home: (state) => only(moved(state, Number.NEGATIVE_INFINITY)),
  end: (state) => only(moved(state, Number.POSITIVE_INFINITY)),
  enter: entered,
  n: next,
  f: (state) => only({ ...state, typing: true }),
  '/': (state) => only({ ...state, typing: true }),
  g: grouped,
  u: read,
  y: (state) => answers(state, 'y'),
  Y: (state) => answers(state, 'Y'),
  d: (state) => answers(state, 'd'),
  ' ': (state) => only(reading(state)),
  t: (state) => paneKey(state, 't', selectedOf(state)),
  I: (state) => paneKey(state, 'I', selectedOf(state)),
  ':': (state) => paneKey(state, ':', selectedOf(state)),
  x: (state) => only(dismissed(state)),
  X: (state) => only({ ...state, dismissed: new Map() }),
  w: (state) => only(selectedOf(state) ? { ...state, shows: 'why', scroll: 0 } : state),
  '?': (state) => only({ ...state, shows: 'help', scroll: 0 }),
  escape: (state) => only({ ...state, filter: '', selected: null }),
  q: (state) => only(state, { do: 'leave' }),
}

/** The session that keys are about: the chosen one, else the topmost. */
export function selectedOf(state: State): Session | undefined {
  if (state.selected !== null) return state.sessions.get(state.selected)
  return sessionsIn(rowsOf(state))[0]
}

function sessionsIn(rows: readonly Row[]): readonly Session[] {
  return rows.flatMap((row) => (row.kind === 'session' ? row.session : []))
}

function pageOf({ columns, rows }: State): number {
  return Math.max(1, geometryOf(columns, rows).list.height - 1)
}

function moved(state: State, by: number): State {
  const sessions = sessionsIn(rowsOf(state))
  const current = selectedOf(state)
  const at = current ? sessions.indexOf(current) : 0
  const to = Math.min(sessions.length - 1, Math.max(0, at + by))
  return { ...state, selected: sessions[to]?.id ?? null }
}

/** Numbers are those of the sessions in sight. */
function numbered(state: State, number: number): State {
  const { height } = geometryOf(state.columns, state.rows).list
  const inSight = sessionsIn(rowsOf(state).slice(state.top, state.top + height))
  return { ...state, selected: inSight[number - 1]?.id ?? state.selected }
}

function entered(state: State): Step {
  const session = selectedOf(state)
  if (!session) return only(state)
  return only(state, { do: session.state === 'closed' ? 'resume' : 'jump', session })
}

/** The one that has needed its user longest; again, the one after. */
function next(state: State): Step {
  const sessions = sessionsIn(rowsOf(state))
  const current = selectedOf(state)
  const after = state.selected !== null && current && needsUser(current) ? current.id : undefined
  const session = nextNeedy(sessions, after)
  return only(session ? { ...state, selected: session.id } : noticed(state, 'nobody needs you'))
}

function grouped(state: State): Step {
  const group = GROUPS[(GROUPS.indexOf(state.group) + 1) % GROUPS.length] ?? 'nothing'
  const words = group === 'nothing' ? 'not grouped' : `grouped by ${group}`
  return only(noticed({ ...state, group }, words))
}

function read(state: State): Step {
  const session = selectedOf(state)
  if (!session) return only(state)
  if (!session.unread) return only(noticed(state, 'was read already'))
  return only(state, { do: 'read', session })
}

function answers(state: State, key: AnswerKey): Step {
  return begun(state, key, requestOf(state, selectedOf(state)))
}

/** All of what is asked, on a page of its own. */
function reading(state: State): State {
  if (requestOf(state, selectedOf(state))) return { ...state, shows: 'request', scroll: 0 }
  return noticed(state, 'nothing more is known of what it asks')
}

/** Where a request is read: on through it, and its answer. No key leads past lines unseen. */
function inRequest(state: State, key: string): Step {
  if (key === 'y' || key === 'Y' || key === 'd') return answers(state, key)
  const session = selectedOf(state)
  const request = requestOf(state, session)
  if (!session || !request || ['escape', 'q', 'enter'].includes(key))
    return only({ ...state, shows: 'sessions', scroll: 0 })
  const by = READS[key]?.(requestPage(state, session, request).step)
  return only(by === undefined ? state : { ...state, scroll: Math.max(0, state.scroll + by) })
}

function dismissed(state: State): State {
  const session = selectedOf(state)
  if (!session) return state
  const gone = new Map(state.dismissed).set(session.id, session.since)
  return noticed({ ...state, dismissed: gone }, 'dismissed until it changes; X brings it back')
}

const FILTER_MAX_CHARACTERS = 60

function typed(state: State, key: string): State {
  const { filter } = state
  if (key === 'enter') return { ...state, typing: false }
  if (key === 'escape') return { ...state, typing: false, filter: '' }
  if (key === 'backspace') return { ...state, filter: [...filter].slice(0, -1).join('') }
  if (key === 'up' || key === 'down') return moved(state, key === 'up' ? -1 : 1)
  const isLetter = [...key].length === 1 && filter.length < FILTER_MAX_CHARACTERS
  return isLetter ? { ...state, filter: filter + key, selected: null } : state
}

/** Why and help are left by the key that led there, by Esc and by q; else one scrolls in them. */
function inText(state: State, key: string): Step {
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
