import { type Fields, fields, numberIn, shortText, textIn } from '../read.ts'

/** Why a turn failed, in the words that vigil has for every agent. */
export function causeOf(error: Fields): string {
  const info = error.codex_error_info
  const named = textIn(info) ?? Object.keys(fields(info))[0]
  const status = numberIn(fields(fields(info)[named ?? '']).http_status_code)
  if (status !== undefined) return BY_STATUS.get(status) ?? `HTTP ${status}`
  if (named !== undefined && named !== 'other') return BY_NAME.get(named) ?? spoken(named)
  const inText = /\b(4\d\d|5\d\d)\b/.exec(textIn(error.message) ?? '')?.[1]
  return (inText && BY_STATUS.get(Number(inText))) ?? inMessage(error.message) ?? 'unknown'
}

const BY_STATUS: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request'],
  [401, 'authentication_failed'],
  [403, 'authentication_failed'],
  [429, 'rate_limit'],
  [500, 'server_error'],
  [502, 'server_error'],
  [503, 'overloaded'],
])

const BY_NAME: ReadonlyMap<string, string> = new Map([
  ['usage_limit_exceeded', 'usage_limit'],
  ['context_window_exceeded', 'context_window_exceeded'],
  ['internal_server_error', 'server_error'],
  ['server_overloaded', 'overloaded'],
  ['unauthorized', 'authentication_failed'],
])

function spoken(name: string): string {
  return shortText(name) ?? 'unknown'
}

/** The provider's own kind of error stands in the message as JSON. */
function inMessage(message: unknown): string | undefined {
  const type = /"type"\s*:\s*"([a-z_]+)"/.exec(textIn(message) ?? '')?.[1]
  if (type !== undefined) return type.replace(/_error$/, '')
  return /disconnected|network|timed? ?out/i.test(textIn(message) ?? '')
    ? 'connection_lost'
    : undefined
}
