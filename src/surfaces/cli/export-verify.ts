import type { Report } from '../../core/signal.ts'
import { play } from '../../recording/play.ts'
import { changeLine } from './change-line.ts'
import { TAIL_DEFAULT_S } from './recordings.ts'

/** Everything vigil says when it plays these reports, but for words taken from what was hidden. */
export function changesTold(reports: readonly Report[]): string {
  const endAt = (reports.at(-1)?.t ?? 0) + TAIL_DEFAULT_S * 1000
  return [...play(reports, endAt)]
    .map(({ t, verdict }) => {
      const { reason: _labels, ...line } = changeLine(t, verdict)
      const grounds = verdict.grounds.map(({ source, at }) => [source, at])
      return JSON.stringify({ ...line, grounds })
    })
    .join('\n')
}
