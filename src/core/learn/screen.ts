import type { Facts, Screen } from '../facts.ts'
import type { SignalOf } from '../signal.ts'

/** Screens come from one source in order, so an older one can only be a repeat. */
export function learnScreen(facts: Facts, signal: SignalOf<'screen'>): Facts {
  const before = facts.screen
  if (before && signal.at < before.at) return facts
  const same = before?.shows === signal.shows && before.for === signal.for
  const workingAt = signal.shows === 'working' ? signal.at : before?.workingAt
  const dialog = signal.shows === 'dialog' || signal.shows === 'nothing'
  const inputAt = dialog ? before?.inputAt : signal.at
  const screen: Screen = {
    at: signal.at,
    shows: signal.shows,
    for: signal.for,
    since: same && before ? before.since : signal.at,
    inputAt,
    workingAt,
    input: signal.input,
  }
  const typed = isTyping(before, signal)
  return typed
    ? { ...facts, screen, typedAt: Math.max(facts.typedAt ?? 0, signal.at) }
    : { ...facts, screen }
}

/**
 * SPEC A4. The input line grew or changed between two looks; an emptied line was sent or discarded.
 */
function isTyping(before: Screen | undefined, signal: SignalOf<'screen'>): boolean {
  if (!before || before.input === undefined || signal.input === undefined) return false
  if (before.shows !== signal.shows) return false
  return signal.input !== '' && signal.input !== before.input
}

/** What a pane has shown so far, for the session that gets the pane. */
export function inheritScreen(facts: Facts, from: Facts): Facts {
  const { screen, typedAt, heard } = from
  const typed = Math.max(facts.typedAt ?? 0, typedAt ?? 0)
  const kept = typed > 0 ? { ...facts, typedAt: typed } : facts
  if (!screen || (facts.screen && facts.screen.at >= screen.at)) return kept
  return { ...kept, screen, heard: { ...facts.heard, screen: heard.screen } }
}
