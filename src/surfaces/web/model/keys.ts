import { noticed } from '../../../view/board/board.ts'
import {
  dismissed,
  grouped,
  movedBy,
  nextOne,
  numbered,
  restored,
  unfolded,
  unreadOne,
} from '../../../view/board/choose.ts'
import { whyUnarmed } from './arming.ts'
import { type PageEffect, type PageState, type PageStep, pageStep } from './state.ts'
import { chose, filteredBy, tabbed } from './steps.ts'

/**
 * Handles a key by its letter or name; its meaning depends on the view. The keys are those of the
 * live view.
 */
export function pageKey(state: PageState, key: string, at: number): PageStep {
  if (state.help) return pageStep(['?', 'escape'].includes(key) ? { ...state, help: false } : state)
  if (key === '?') return pageStep({ ...state, help: true })
  if (state.route.at === 'insight') return key === 'escape' ? board(state) : pageStep(state)
  if (/^[1-9]$/.test(key)) return led(state, numbered(state, Number(key), state.sight))
  return Object.hasOwn(KEYS, key) ? (KEYS[key]?.(state, at) ?? pageStep(state)) : pageStep(state)
}

const KEYS: Readonly<Record<string, (state: PageState, at: number) => PageStep>> = {
  up: (state) => led(state, movedBy(state, -1)),
  k: (state) => led(state, movedBy(state, -1)),
  down: (state) => led(state, movedBy(state, 1)),
  j: (state) => led(state, movedBy(state, 1)),
  pageup: (state) => led(state, movedBy(state, -pageOf(state))),
  pagedown: (state) => led(state, movedBy(state, pageOf(state))),
  home: (state) => led(state, movedBy(state, Number.NEGATIVE_INFINITY)),
  end: (state) => led(state, movedBy(state, Number.POSITIVE_INFINITY)),
  enter: opened,
  n: (state) => led(state, nextOne(state)),
  f: (state) => pageStep(state, { do: 'search' }),
  '/': (state) => pageStep(state, { do: 'search' }),
  g: (state) => pageStep(grouped(state)),
  u: read,
  x: (state) => led(state, dismissed(state)),
  X: (state) => pageStep(restored(state)),
  c: (state) => pageStep(unfolded(state)),
  w: (state) =>
    tabbed(state, state.route.at === 'session' && state.route.tab === 'why' ? 'now' : 'why'),
  y: (state, at) => answered(state, 'allow', at),
  d: (state, at) => answered(state, 'deny', at),
  escape: escaped,
}

function pageOf({ sight }: PageState): number {
  return Math.max(1, sight.count - 1)
}

/** While a session is open, selecting another opens that one. */
function led(before: PageState, state: PageState): PageStep {
  const { selected: id, route } = state
  if (state === before || id === null) return pageStep(state)
  if (route.at !== 'session') return pageStep(state, { do: 'focus-row' })
  const there = { ...route, id }
  const go: PageEffect[] = id === route.id ? [] : [{ do: 'go', route: there, new: false }]
  return pageStep({ ...state, isChosen: true, route: there }, ...go, { do: 'focus-row' })
}

function opened(state: PageState): PageStep {
  if (state.selected === null) return pageStep(state)
  const step = chose(state, state.selected)
  return { state: step.state, effects: [...step.effects, { do: 'focus-session' }] }
}

function read(state: PageState): PageStep {
  const { board, session } = unreadOne(state)
  return session ? pageStep(board, { do: 'read', session }) : pageStep(board)
}

function escaped(state: PageState): PageStep {
  if (state.route.at === 'session' && state.route.tab !== 'now') return tabbed(state, 'now')
  if (state.route.at === 'session' && !state.wide) return pageStep(state, { do: 'back' })
  return pageStep(filteredBy(state, ''), { do: 'leave-search' })
}

/** Nothing is answered that is not visible: on a narrow page the list may cover it. */
function answered(state: PageState, how: 'allow' | 'deny', at: number): PageStep {
  const { wide, route, selected, arming } = state
  if (selected === null || !(wide || route.at === 'session')) return pageStep(state)
  const why = whyUnarmed(arming, selected, at)
  return why === null ? pageStep(state, { do: how }) : pageStep(noticed(state, why))
}

function board(state: PageState): PageStep {
  const route = { at: 'board' } as const
  return pageStep({ ...state, route }, { do: 'go', route, new: true })
}
