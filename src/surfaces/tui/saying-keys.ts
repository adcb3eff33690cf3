import type { Session } from '../../protocol/session.ts'
import { noticed } from './notice.ts'
import type { State, Step } from './state.ts'

/** A line of it is in sight; what is longer is better written in a file and named. */
const PROMPT_MAX_CHARACTERS = 2_000

/** SPEC PA19. Keys that do something to the chosen session's pane. */
export function paneKey(state: State, key: ':' | 't' | 'I', session: Session | undefined): Step {
  if (!session) return only(state)
  if (session.tmuxPane === null) return only(noticed(state, 'it does not run in tmux'))
  if (key === ':') return only({ ...state, saying: { session: session.id, text: '' } })
  return { state, effects: [{ do: key === 't' ? 'typing' : 'interrupt', session }] }
}

/** It goes to the one it was begun for, whoever is chosen or has moved up meanwhile. */
export function sayingKey(state: State, saying: NonNullable<State['saying']>, key: string): Step {
  const { session: id, text } = saying
  const over = { ...state, saying: null }
  if (key === 'escape') return only(over)
  if (key === 'backspace') {
    const shorter = [...text].slice(0, -1).join('')
    return only(text === '' ? over : { ...state, saying: { session: id, text: shorter } })
  }
  if (key === 'enter') return sent(over, id, text.trim())
  const isLetter = [...key].length === 1 && text.length < PROMPT_MAX_CHARACTERS
  return only(isLetter ? { ...state, saying: { session: id, text: text + key } } : state)
}

function sent(state: State, id: string, text: string): Step {
  const session = state.sessions.get(id)
  if (!session) return only(noticed(state, 'it is gone'))
  return text === '' ? only(state) : { state, effects: [{ do: 'say', session, text }] }
}

function only(state: State): Step {
  return { state, effects: [] }
}
