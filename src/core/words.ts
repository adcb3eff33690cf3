import type { State } from './verdict.ts'

export interface StateWords {
  readonly state: State
  readonly for?: string | null | undefined
  readonly after?: string | null | undefined
  readonly cause?: string | null | undefined
  readonly how?: string | null | undefined
  readonly doing?: { readonly what: string; readonly tool?: string } | null | undefined
}

/** A state in words: `waiting for permission`, `working: Bash`. */
export function stateWords({ state, for: kind, after, cause, how, doing }: StateWords): string {
  if (kind) return `${state} for ${kind}`
  if (after) return `${state} after ${after}`
  // Not even the agent has a word for the cause; its screen text is shown beside it.
  if (cause && cause !== 'unknown') return `${state}: ${spaced(cause)}`
  if (state === 'closed' && how && how !== 'other') return `${state}: ${CLOSED[how] ?? spaced(how)}`
  return doing ? `${state}: ${doing.tool ?? doing.what}` : state
}

const CLOSED: Readonly<Record<string, string>> = {
  clear: 'cleared',
  resume: 'another session was resumed',
  continued: 'continues as another session',
}

function spaced(word: string): string {
  return word.replaceAll('_', ' ')
}

interface Detachable {
  readonly detached: boolean
  readonly attach: string | null
}

/** SPEC VW31. Why it has no terminal, and the command that gives it one; null while it has one. */
export function detachedLine({ detached, attach }: Detachable): string | null {
  if (!detached) return null
  const how = attach === null ? '' : `; attach it again with: ${attach}`
  return `detached: its terminal was closed, and the agent goes on without one${how}`
}
