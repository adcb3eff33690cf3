import type { HistoryEntry, Talk } from '../protocol/session.ts'
import { wordsOf } from './session.ts'

/**
 * SPEC VW29. Changes as users see them, newest first. Of consecutive changes with the same words
 * the oldest is shown, because the state began then.
 */
export function changesShown(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
  return history.filter((entry, at) => {
    const older = history[at + 1]
    return !older || wordsOf(older.verdict) !== wordsOf(entry.verdict)
  })
}

/** SPEC VW29. The agent's last messages, newest first. */
export function messagesNewestFirst(talk: Talk | null | undefined): readonly string[] {
  return talk?.said.toReversed() ?? []
}
