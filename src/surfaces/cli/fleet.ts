import type { Session } from '../../daemon/session.ts'
import { loopWordsOf } from '../../view/loop.ts'
import {
  ageOf,
  byAttention,
  colourOf,
  detailOf,
  glyphOf,
  nameOf,
  plain,
  wordsOf,
} from '../../view/session.ts'
import type { Paint } from './paint.ts'
import { timeOfDay } from './time-of-day.ts'

/** All sessions as lines of text, the neediest first. */
export function drawFleet(
  sessions: readonly Session[],
  now: number,
  columns: number,
  paint: Paint,
): string[] {
  const ordered = sessions.toSorted(byAttention)
  return [
    summary(sessions, paint),
    '',
    ...ordered.map((session) => line(session, now, columns, paint)),
  ]
}

function summary(sessions: readonly Session[], paint: Paint): string {
  const count = (...states: Session['state'][]) =>
    sessions.filter(({ state }) => states.includes(state)).length
  const stuck = count('stuck')
  const parts = [
    paint('yellow', `⏸ ${count('waiting')} waiting`),
    paint('red', `✗ ${count('error')} in error`),
    ...(stuck > 0 ? [paint('magenta', `◌ ${stuck} stuck`)] : []),
    paint('blue', `● ${count('working', 'background')} working`),
    paint('green', `✓ ${count('idle')} idle`),
    paint('grey', `· ${count('closed')} closed`),
  ]
  return `${paint('bold', 'vigil')}  ${parts.join('   ')}`
}

function line(session: Session, now: number, columns: number, paint: Paint): string {
  const name = plain(nameOf(session), 14).padEnd(14)
  const state = `${glyphOf(session)} ${wordsOf(session)}`.padEnd(26)
  const age = ageOf(now - session.since).padStart(6)
  const mark = session.unread ? '*' : ' '
  const loop = loopWordsOf(session, timeOfDay)
  const before = loop === '' ? '' : `${loop} · `
  const room = Math.max(0, columns - 56 - before.length)
  const detail = paint('dim', plain(detailOf(session) || session.reason, room))
  return ` ${mark} ${name} ${paint(colourOf(session), state)} ${age}   ${before}${detail}`
}
