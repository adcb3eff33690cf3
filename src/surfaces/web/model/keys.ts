import { nextNeedy } from '../../../view/order.ts'
import { GROUPS } from '../../../view/rows.ts'
import { needsUser } from '../../../view/session.ts'
import { whyUnarmed } from './arming.ts'
import { selectedOf, sessionsIn } from './choice.ts'
import { noticed } from './notice.ts'
import type { Effect, State, Step } from './state.ts'
import { chose, filtered, grouped, tabbed } from './steps.ts'

/** A key by its letter or its name, as what it means where one is: those of the live view. */
export function pressed(state: State, key: string, at: number): Step {
  if (state.help) return only(['?', 'escape'].includes(key) ? { ...state, help: false } : state)
  if (key === '?') return only({ ...state, help: true })
  if (state.route.at === 'insight') return key === 'escape' ? board(state) : only(state)
  if (/^[1-9]$/.test(key)) return numbered(state, Number(key))
  return Object.hasOwn(KEYS, key) ? (KEYS[key]?.(state, at) ?? only(state)) : only(state)
}

function only(state: State, ...effects: Effect[]): Step {
  return { state, effects }
}

const KEYS: Readonly<Record<string, (state: State, at: number) => Step>> = {
  up: (state) => moved(state, -1),
  k: (state) => moved(state, -1),
  down: (state) => moved(state, 1),
  j: (state) => moved(state, 1),
  pageup: (state) => moved(state, -pageOf(state)),
  pagedown: (state) => moved(state, pageOf(state)),
  home: (state) => moved(state, Number.NEGATIVE_INFINITY),
  end: (state) => moved(state, Number.POSITIVE_INFINITY),
  enter: opened,
  n: next,
  f: (state) => only(state, { do: 'search' }),
  '/': (state) => only(state, { do: 'search' }),
  g: (state) => only(grouped(state, GROUPS[(GROUPS.indexOf(state.group) + 1) % 3] ?? 'nothing')),
  u: read,
  x: dismissed,
  X: (state) => only({ ...state, dismissed: new Map() }),
  w: (state) =>
    tabbed(state, state.route.at === 'session' && state.route.tab === 'why' ? 'now' : 'why'),
  y: (state, at) => answered(state, 'allow', at),
  d: (state, at) => answered(state, 'deny', at),
  escape: escaped,
}

function pageOf({ sight }: State): number {
  return Math.max(1, sight.count - 1)
}

/** Over a session that is open, another one is opened in its place. */
function moved(state: State, by: number): Step {
  const sessions = sessionsIn(state.rows)
  const at = sessions.findIndex(({ id }) => id === state.selected)
  const to = at < 0 ? 0 : Math.min(sessions.length - 1, Math.max(0, at + by))
  return chosenAs(state, sessions[to]?.id)
}

/** Numbers are those of the sessions in sight. */
function numbered(state: State, number: number): Step {
  const { from, count } = state.sight
  const inSight = sessionsIn(state.rows.slice(from, from + count))
  return chosenAs(state, inSight[number - 1]?.id)
}

function chosenAs(state: State, id: string | undefined): Step {
  if (id === undefined) return only(state)
  const at = state.route.at === 'session' ? { ...state.route, id } : null
  const go: Effect[] = at && at.id !== state.selected ? [{ do: 'go', route: at, new: false }] : []
  return only({ ...state, selected: id, route: at ?? state.route }, ...go, { do: 'focus-row' })
}

function opened(state: State): Step {
  if (state.selected === null) return only(state)
  const step = chose(state, state.selected)
  return { state: step.state, effects: [...step.effects, { do: 'focus-session' }] }
}

/** The one that has needed its user longest; again, the one after. */
function next(state: State): Step {
  const current = selectedOf(state)
  const after = current && needsUser(current) ? current.id : undefined
  const session = nextNeedy(sessionsIn(state.rows), after)
  if (!session) return only(noticed(state, 'nobody needs you'))
  return chosenAs(state, session.id)
}

function read(state: State): Step {
  const session = selectedOf(state)
  if (!session) return only(state)
  if (!session.unread) return only(noticed(state, 'was read already'))
  return only(state, { do: 'read', session })
}

function dismissed(state: State): Step {
  const session = selectedOf(state)
  if (!session) return only(state)
  const gone = new Map(state.dismissed).set(session.id, session.since)
  const words = 'dismissed until it changes; X brings it back'
  const rest = sessionsIn(state.rows)
  const at = rest.findIndex(({ id }) => id === session.id)
  const near = rest[at + 1] ?? rest[at - 1]
  return chosenAs(noticed({ ...state, dismissed: gone }, words), near?.id)
}

function escaped(state: State): Step {
  if (state.route.at === 'session' && state.route.tab !== 'now') return tabbed(state, 'now')
  if (state.route.at === 'session' && !state.wide) return only(state, { do: 'back' })
  return only(filtered(state, ''), { do: 'leave-search' })
}

/** Nothing is answered that is not seen: on a narrow page the list may stand before it. */
function answered(state: State, how: 'allow' | 'deny', at: number): Step {
  const { wide, route, selected, arming } = state
  if (selected === null || !(wide || route.at === 'session')) return only(state)
  const why = whyUnarmed(arming, selected, at)
  return why === null ? only(state, { do: how }) : only(noticed(state, why))
}

function board(state: State): Step {
  const route = { at: 'board' } as const
  return only({ ...state, route }, { do: 'go', route, new: true })
}
