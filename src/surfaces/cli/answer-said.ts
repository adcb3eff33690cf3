import { createHash } from 'node:crypto'
import type { OpenRequest, RequestAnswer } from '../../protocol/request.ts'
import type { Session } from '../../protocol/session.ts'
import { jumpCommand } from '../../view/jump-command.ts'
import { whatToShow } from '../../view/request.ts'
import { numberedText, shownLines } from '../../view/request-lines.ts'
import { spelled } from '../../view/safe.ts'
import { ageOf, plain } from '../../view/session.ts'

/** SPEC SH1, SH6. The whole request as lines for a terminal, with the code that names it. */
export function printedRequest(
  request: OpenRequest,
  session: Session | undefined,
  now: number,
): readonly string[] {
  const { kind, tool, actor, at, suggestions, why } = request
  const name = session ? plain(session.name, 40) : plain(request.session, 40)
  const asking = actor === null ? name : `subagent ${plain(actor, 40)} of ${name}`
  return [
    `${asking} asks ${WHAT[kind]} ${plain(tool, 60)}, ${ageOf(now - at)} ago`,
    ...shownLines(whatToShow(request)).map(
      (line) => `  ${line.sign.padEnd(1)} ${numberedText(line)}`,
    ),
    ...suggestions.map(({ index, words }) => `  --suggestion ${index}: ${spelled(words)}`),
    ...(why === null ? [] : [`  cannot be answered here: ${why}`, ...jumpLine(request.session)]),
    `  --request ${requestCode(request)}`,
  ]
}

/** SPEC AN31. A session that waits for its user while vigil knows no request of it. */
export function printedWait(session: Session): readonly string[] {
  const { id, for: reason, request } = session
  const words = request ? `, ${plain([request.tool, request.text ?? ''].join(' '), WAIT_MAX)}` : ''
  return [
    `${plain(session.name, 40)} waits for ${reason ?? 'its user'}${words}`,
    '  cannot be answered here: it was just answered, or has no hooks (run `vigil doctor`)',
    ...jumpLine(id),
  ]
}

const WAIT_MAX = 160

function jumpLine(session: string): readonly string[] {
  const command = jumpCommand(session)
  return command === null ? [] : [`  its terminal: ${command}`]
}

/** SPEC SH6. What the chosen suggestion allows beyond the request. */
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
 * SPEC SH6. Names this request with this content: the code of one request does not fit another,
 * whatever its id.
 */
export function requestCode({ id, digest }: Pick<OpenRequest, 'id' | 'digest'>): string {
  const whole = [id, digest].join('\n')
  return createHash('sha256').update(whole).digest('hex').slice(0, CODE_LETTERS)
}
