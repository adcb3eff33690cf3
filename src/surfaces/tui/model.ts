import { afterEvent } from '../../view/board/after-event.ts'
import { selectedOf } from '../../view/board/board.ts'
import { settle } from '../../view/board/settle.ts'
import { withdrawn } from './answer-keys.ts'
import { geometryOf } from './geometry.ts'
import { terminalKey } from './keys.ts'
import { scrollMax } from './layout.ts'
import { afterLook } from './reading.ts'
import { paneShown } from './saying-keys.ts'
import { stepWith, type TerminalEvent, type TerminalState, type TerminalStep } from './state.ts'

/** The next state of the view after an event. Pure: side effects are returned as data. */
export function updateTerminal(state: TerminalState, event: TerminalEvent): TerminalStep {
  const { state: next, effects } = step(state, event)
  const shown = withdrawn(settle(state, next, { selectsTopmost: true, open: null }))
  return { state: afterLook(placed(shown)), effects }
}

function step(state: TerminalState, event: TerminalEvent): TerminalStep {
  if (event.kind === 'key')
    return terminalKey({ ...state, now: event.now, lastActAt: event.now }, event.key)
  if (event.kind === 'resized')
    return stepWith({ ...state, columns: event.columns, rows: event.rows })
  if (event.kind === 'pane') return stepWith(paneShown(state, event.pane))
  const session = selectedOf(state)
  // Details arrive with each change of the session: its pane has changed, too.
  if (event.kind === 'details' && state.shows === 'pane' && session)
    return stepWith(afterEvent(state, event), { do: 'pane', session })
  return stepWith(afterEvent(state, event))
}

/** Keeps the selected row visible. */
function placed(state: TerminalState): TerminalState {
  const { list, selected, isChosen } = state
  const { height } = geometryOf(state.columns, state.rows).list
  const at = isChosen
    ? list.findIndex((row) => row.kind === 'session' && row.session.id === selected)
    : 0
  const last = Math.max(0, list.length - height)
  // The heading of a group is visible with its first session.
  const from = list[at - 1]?.kind === 'group' ? at - 1 : at
  const top = Math.min(last, Math.max(at - height + 1, Math.min(state.top, from)))
  const scroll = state.scroll === 0 ? 0 : Math.min(state.scroll, scrollMax(state))
  return { ...state, scroll, top: Math.max(0, top) }
}
