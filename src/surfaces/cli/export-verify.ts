import type { Report } from '../../core/signal.ts'
import { play } from '../../recording/play.ts'
import { changeLine } from './change-line.ts'
import { TAIL_DEFAULT_S } from './recordings.ts'
import { isVerdictWord } from './redact-rules.ts'

type Line = ReturnType<typeof changeLine>

/**
 * Every verdict when vigil replays these reports, without words from hidden texts. A session is
 * identified by its order of appearance, because its id may be hidden, too.
 */
export function replayedChanges(reports: readonly Report[]): string {
  const endAt = (reports.at(-1)?.t ?? 0) + TAIL_DEFAULT_S * 1000
  const sessions: string[] = []
  return [...play(reports, endAt)]
    .map(({ t, verdict }) => {
      const line = ownWordsOf(changeLine(t, verdict))
      if (!sessions.includes(line.session)) sessions.push(line.session)
      const grounds = verdict.grounds.map(({ source, at }) => [source, at])
      return JSON.stringify({ ...line, session: sessions.indexOf(line.session), grounds })
    })
    .join('\n')
}

const OTHER = 'other'

/**
 * SPEC OS5. A change without free text: the cause of a failed turn may be a gateway's own sentence.
 */
export function ownWordsOf({ reason: _labels, ...line }: Line): Omit<Line, 'reason'> {
  const { cause, how } = line
  return {
    ...line,
    ...(cause !== undefined && { cause: isVerdictWord('cause', cause) ? cause : OTHER }),
    ...(how !== undefined && { how: isVerdictWord('how', how) ? how : OTHER }),
  }
}
