import type { Client } from '../../client/client.ts'
import type { Report } from '../../core/signal.ts'
import type { Session } from '../../protocol/session.ts'
import { play } from '../../recording/play.ts'
import { changeLine } from './change-line.ts'
import { ownWordsOf } from './export-verify.ts'
import { TAIL_DEFAULT_S } from './recordings.ts'

/** The daemon's own limit. */
const HISTORY_MAX = 1_000

/** A note in a recording with vigil's verdict at the time; a replay ignores it. */
export interface VerdictNote {
  readonly t: number
  readonly source: 'vigil'
  readonly session: string
  readonly state: string
  readonly for?: string
}

/** The daemon's verdicts on these sessions, without words that may have to be hidden. */
export async function verdictNotes(
  client: Client,
  sessions: readonly Session[],
  full: boolean,
): Promise<VerdictNote[]> {
  const said: VerdictNote[] = []
  for (const { id, host } of sessions) {
    const session = reportedId(id, host)
    const history = (await client.history(id, HISTORY_MAX)) ?? []
    for (const { t, verdict } of history.toReversed()) {
      const { reason: _labels, ...line } = changeLine(t, verdict)
      const words = full ? line : ownWordsOf(changeLine(t, verdict))
      said.push({ ...words, source: 'vigil', session })
    }
  }
  return said.toSorted((a, b) => a.t - b.t)
}

/** An imported session has its machine before its id; its reports do not. */
export function reportedId(id: string, host: string): string {
  return id.startsWith(`${host}/`) ? id.slice(host.length + 1) : id
}

/**
 * Whether a replay gives the same verdicts in the same order. If the log is incomplete, it cannot
 * be compared. The replay continues until now, because time alone changed verdicts, too.
 */
export function replaysAlike(
  reports: readonly Report[],
  said: readonly VerdictNote[],
  now: number | undefined,
): boolean {
  const endAt = now ?? (reports.at(-1)?.t ?? 0) + TAIL_DEFAULT_S * 1000
  const again = [...play(reports, endAt)].map(({ t, verdict }) => changeLine(t, verdict))
  const sessions = [...new Set(said.map(({ session }) => session))]
  return sessions.every((session) => {
    const [live, played] = [said, again].map((lines) => wordsOf(lines, session))
    return said.length >= HISTORY_MAX || live === played
  })
}

type Line = Pick<VerdictNote, 'session' | 'state' | 'for'>

function wordsOf(lines: readonly Line[], session: string): string {
  const own = lines.filter((line) => line.session === session)
  return own.map((line) => `${line.state} ${line.for ?? ''}`).join('\n')
}
