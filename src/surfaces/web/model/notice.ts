import type { Notice, State } from './state.ts'

/** Long enough to be read; what went wrong stands longer. */
const NOTICE_MS = { plain: 5_000, bad: 12_000 }

/** A sentence at the foot. */
export function noticed(state: State, text: string, tone: Notice['tone'] = 'plain'): State {
  return { ...state, notice: { text, tone, until: state.now + NOTICE_MS[tone] }, said: text }
}
