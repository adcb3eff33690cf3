import type { HistoryEntry, Talk } from '../protocol/session.ts'
import { wordsOf } from './session.ts'

/**
 * SPEC VW29. Changes for the eye, the newest first: of several in a row that are said in the same
 * words the oldest stands for all, since then it is so.
 */
export function changesShown(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
  return history.filter((entry, at) => {
    const older = history[at + 1]
    return !older || wordsOf(older.verdict) !== wordsOf(entry.verdict)
  })
}

/** SPEC VW29. What an agent said last, for the eye. */
export function saidNewestFirst(talk: Talk | null | undefined): readonly string[] {
  return talk?.said.toReversed() ?? []
}
