import { abilitiesOf } from '../../view/board/abilities.ts'
import { detailsOf, noticed, selectedOf } from '../../view/board/board.ts'
import { scrollMax } from './layout.ts'
import { stepWith, type TerminalState, type TerminalStep } from './state.ts'

/** One line is visible; a longer prompt is better written to a file and named. */
const PROMPT_MAX_CHARACTERS = 2_000

/** SPEC PA19, TU30. Keys that act on the selected session's pane. */
export function paneKey(state: TerminalState, key: ':' | 't' | 'I' | 'p'): TerminalStep {
  const session = selectedOf(state)
  if (!session) return stepWith(state)
  const { type, interrupt } = abilitiesOf(session, detailsOf(state))
  const why = key === 'I' ? interrupt : type
  if (why !== null) return stepWith(noticed(state, why))
  if (key === 'p')
    return stepWith({ ...state, shows: 'pane', pane: null, scroll: END }, { do: 'pane', session })
  if (key === ':') return stepWith({ ...state, saying: { session: session.id, text: '' } })
  return stepWith(state, { do: key === 't' ? 'typing' : 'interrupt', session })
}

/** Beyond the end of any text. */
const END = Number.MAX_SAFE_INTEGER

/** SPEC TU30. The pane was loaded again: a user at its end stays at the end. */
export function paneShown(state: TerminalState, pane: TerminalState['pane']): TerminalState {
  const isAtEnd = state.scroll >= scrollMax(state)
  return { ...state, pane, scroll: isAtEnd ? END : state.scroll }
}

/** The prompt goes to the session it was begun for, whatever is selected meanwhile. */
export function sayingKey(
  state: TerminalState,
  saying: NonNullable<TerminalState['saying']>,
  key: string,
): TerminalStep {
  const { session: id, text } = saying
  const over = { ...state, saying: null }
  if (key === 'escape') return stepWith(over)
  if (key === 'backspace') {
    const shorter = [...text].slice(0, -1).join('')
    return stepWith(text === '' ? over : { ...state, saying: { session: id, text: shorter } })
  }
  if (key === 'enter') return sent(over, id, text.trim())
  const isLetter = [...key].length === 1 && text.length < PROMPT_MAX_CHARACTERS
  return stepWith(isLetter ? { ...state, saying: { session: id, text: text + key } } : state)
}

function sent(state: TerminalState, id: string, text: string): TerminalStep {
  const session = state.sessions.get(id)
  if (!session) return stepWith(noticed(state, 'the session is gone'))
  return text === '' ? stepWith(state) : stepWith(state, { do: 'say', session, text })
}
