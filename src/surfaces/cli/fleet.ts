import { basename } from 'node:path'
import { judge } from '../../core/judge.ts'
import type { Sessions } from '../../core/sessions.ts'
import type { Verdict } from '../../core/verdict.ts'
import {
  ageOf,
  byAttention,
  colourOf,
  detailOf,
  glyphOf,
  plain,
  wordsOf,
} from '../../view/session.ts'
import type { Paint } from './paint.ts'

/** All sessions as lines of text, the neediest first. */
export function drawFleet(
  sessions: Sessions,
  now: number,
  columns: number,
  paint: Paint,
): string[] {
  const verdicts = [...sessions.ids()]
    .flatMap((id) => {
      const facts = sessions.facts(id)
      return facts ? [judge(facts, now)] : []
    })
    .sort(byAttention)
  return [
    summary(verdicts, paint),
    '',
    ...verdicts.map((verdict) => line(verdict, now, columns, paint)),
  ]
}

function summary(verdicts: readonly Verdict[], paint: Paint): string {
  const count = (state: Verdict['state']) =>
    verdicts.filter((verdict) => verdict.state === state).length
  const parts = [
    paint('yellow', `⏸ ${count('waiting')} waiting`),
    paint('red', `✗ ${count('error')} in error`),
    paint('blue', `● ${count('working') + count('background')} working`),
    paint('green', `✓ ${count('idle')} idle`),
    paint('grey', `· ${count('closed')} closed`),
  ]
  return `${paint('bold', 'vigil')}  ${parts.join('   ')}`
}

function line(verdict: Verdict, now: number, columns: number, paint: Paint): string {
  const project = plain(basename(verdict.details.cwd ?? verdict.session), 12).padEnd(12)
  const state = `${glyphOf(verdict)} ${wordsOf(verdict)}`.padEnd(26)
  const age = ageOf(now - verdict.since).padStart(6)
  const mark = verdict.unread ? '*' : ' '
  const detail = plain(detailOf(verdict) || verdict.reason, Math.max(0, columns - 54))
  return ` ${mark} ${project} ${paint(colourOf(verdict), state)} ${age}   ${paint('dim', detail)}`
}
