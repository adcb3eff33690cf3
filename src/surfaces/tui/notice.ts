import type { State } from './state.ts'

/** How long a notice stands. */
const NOTICE_MS = 5_000

/** A sentence at the foot, in answer to a key. */
export function noticed(state: State, text: string): State {
  return { ...state, notice: { text, until: state.now + NOTICE_MS } }
}
