import type { OpenRequest } from '../../daemon/requests/shapes.ts'
import type { Session } from '../../daemon/session.ts'
import { ageOf, nameOf, plain } from '../../view/session.ts'
import { questionLines } from './answer-picked.ts'

const LINE_MAX = 160
const LINES_MAX = 20

/** Everything needed to decide, as lines for a terminal. */
export function requestLines(
  request: OpenRequest,
  session: Session | undefined,
  now: number,
): readonly string[] {
  const { kind, tool, at, questions, lines, suggestions, why } = request
  const name = session ? plain(nameOf(session), 40) : plain(request.session, 40)
  const title = `${name} asks ${WHAT[kind]} ${plain(tool, 60)}, ${ageOf(now - at)} ago`
  const more = lines.length - LINES_MAX
  const shown = lines
    .slice(0, LINES_MAX)
    .map(({ sign, text }) => `  ${sign.padEnd(1)} ${plain(text, LINE_MAX)}`)
  return [
    title,
    ...(kind === 'question' ? questionLines(questions) : shown),
    ...(kind !== 'question' && more > 0 ? [`    … and ${more} more lines`] : []),
    ...suggestions.map(({ index, words }) => `  --suggestion ${index}: ${plain(words, LINE_MAX)}`),
    ...(why === null ? [] : [`  cannot be answered from here: ${why}`]),
  ]
}

const WHAT = { permission: 'to use', question: 'by', plan: 'to go on, by' } as const
