import { createHash } from 'node:crypto'
import type { OpenRequest, RequestAnswer } from '../../protocol/request.ts'
import type { Session } from '../../protocol/session.ts'
import { whatToShow } from '../../view/request.ts'
import { shownLines } from '../../view/request-lines.ts'
import { spelled } from '../../view/safe.ts'
import { ageOf, nameOf, plain } from '../../view/session.ts'

/** SPEC SH1, SH6. All that is asked, as lines for a terminal, with the code that names it. */
export function printedRequest(
  request: OpenRequest,
  session: Session | undefined,
  now: number,
): readonly string[] {
  const { kind, tool, at, suggestions, why } = request
  const name = session ? plain(nameOf(session), 40) : plain(request.session, 40)
  return [
    `${name} asks ${WHAT[kind]} ${plain(tool, 60)}, ${ageOf(now - at)} ago`,
    ...shownLines(whatToShow(request)).map(({ sign, text }) => `  ${sign.padEnd(1)} ${text}`),
    ...suggestions.map(({ index, words }) => `  --suggestion ${index}: ${spelled(words)}`),
    ...(why === null ? [] : [`  cannot be answered from here: ${why}`]),
    `  --request ${requestCode(request)}`,
  ]
}

/** SPEC SH6. What is allowed beyond the request by the suggestion that was chosen. */
export function suggestedLines(
  { suggestions }: Pick<OpenRequest, 'suggestions'>,
  { suggestion }: Pick<RequestAnswer, 'suggestion'>,
): readonly string[] {
  const chosen = suggestions.filter(({ index }) => index === suggestion)
  return chosen.map(({ words }) => `  ! and from then on: ${spelled(words)}`)
}

const WHAT = { permission: 'to use', question: 'by', plan: 'to go on, by' } as const

const CODE_LETTERS = 12

/**
 * SPEC SH6. Names this very request with this very content: a code that was read off the one does
 * not fit another, whatever it is called.
 */
export function requestCode({ id, digest }: Pick<OpenRequest, 'id' | 'digest'>): string {
  const whole = [id, digest].join('\n')
  return createHash('sha256').update(whole).digest('hex').slice(0, CODE_LETTERS)
}
