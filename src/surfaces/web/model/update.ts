import { afterEvent } from '../../../view/board/after-event.ts'
import { noticed } from '../../../view/board/board.ts'
import { grouped, unfolded } from '../../../view/board/choose.ts'
import { announcement, began } from '../../../view/board/news.ts'
import { settle } from '../../../view/board/settle.ts'
import { afterAttention, CLICK_AGAIN, hasPaused, keyed, pointed, touched } from './arming.ts'
import { pageKey } from './keys.ts'
import { type PageEvent, type PageState, type PageStep, pageStep } from './state.ts'
import { chose, filteredBy, went } from './steps.ts'

/** The next state of the page after an event. Pure: side effects are returned as data. */
export function updatePage(state: PageState, event: PageEvent): PageStep {
  const { state: next, effects } = step(state, event)
  const { wide, choosesFirst, route } = next
  const open = route.at === 'session' ? route.id : null
  const settled = settle(state, next, { selectsTopmost: wide && choosesFirst, open })
  return { state: { ...settled, said: saidAfter(state, settled) }, effects }
}

function step(state: PageState, event: PageEvent): PageStep {
  switch (event.kind) {
    case 'key':
      return afterKey({ ...state, now: event.now, lastActAt: event.now }, event)
    case 'attention':
      return pageStep({ ...state, arming: afterAttention(event.here, event.at) })
    case 'touched':
      return pageStep({ ...state, arming: touched(state.arming, event.at, event.pressed) })
    case 'pointed':
      return pageStep(pointedAt(state, event.session, event.at))
    case 'acted':
      return pageStep({ ...state, lastActAt: event.now })
    case 'wide':
      return pageStep({ ...state, wide: event.wide })
    case 'sight':
      return pageStep({ ...state, sight: { from: event.from, count: event.count } })
    case 'went':
      return pageStep(went(state, event.route))
    case 'chose':
      return chose(chosenBy({ ...state, now: event.now, lastActAt: event.now }, event), event.id)
    case 'filtered':
      return pageStep(filteredBy({ ...state, lastActAt: event.now }, event.filter))
    case 'grouped':
      return pageStep(grouped({ ...state, lastActAt: event.now }, event.group))
    case 'unfolded':
      return pageStep(unfolded({ ...state, lastActAt: event.now }))
    case 'help':
      return pageStep({ ...state, help: event.help })
    default:
      return pageStep(afterEvent(state, event))
  }
}

function afterKey(state: PageState, { key, at }: Extract<PageEvent, { kind: 'key' }>): PageStep {
  const { state: next, effects } = pageKey(state, key, at)
  return { state: { ...next, arming: keyed(next.arming, key, next.selected, at) }, effects }
}

/**
 * SPEC SH11. On a narrow page the view takes the place of the list: the second tap of a double tap
 * on a row would hit the button that allows. There the user has to tap the view.
 */
function chosenBy(state: PageState, { id, at }: Extract<PageEvent, { kind: 'chose' }>): PageState {
  return state.wide ? pointedAt(state, id, at) : state
}

/** SPEC SH10. A click that brings the page to the front arms nothing; the page says so. */
function pointedAt(state: PageState, id: string, at: number): PageState {
  const looked = { ...state, isChosen: state.isChosen || state.selected === id }
  const asks = (state.sessions.get(id)?.asks.length ?? 0) > 0
  if (asks && !hasPaused(state.arming, at)) return noticed(looked, CLICK_AGAIN)
  return { ...looked, arming: pointed(state.arming, id, at) }
}

/** A screen reader announces notices, and sessions that begin to need you. */
function saidAfter(before: PageState, after: PageState): string {
  if (after.notice && after.notice !== before.notice) return after.notice.text
  if (before.loading || before.sessions === after.sessions) return after.said
  return announcement(began(before.sessions, after.sessions)) || after.said
}
