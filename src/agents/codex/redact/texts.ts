import { endsAsking } from '../../../core/attention.ts'
import type { TextPiece, Typed } from '../../redact.ts'
import { codexCommandOf } from '../role.ts'
import { PLACEHOLDER } from '../screen.ts'
import { THREAD_AT_END } from '../title.ts'

/**
 * What decides in a text: the state in a title, a command that runs on, the tool that a script
 * calls, the client's own words for an error.
 */
const DECIDES = [
  /^(?:[\u2801-\u28FF](?= )|\[ [!.] \] Action Required\b)/,
  /"session_id":\d{1,10}\b/,
  /Process running with session ID \d{1,10}/,
  /\{"error":\{"type":"(?:invalid_request|server|rate_limit|authentication)_error"/,
  /^stream disconnected/,
]
const CALLS = /tools\.(exec_command|apply_patch|request_user_input|update_plan)\(/

export function rolloutTextPieces(text: string): readonly TextPiece[] {
  const kept = DECIDES.flatMap((form) => form.exec(text)?.[0] ?? [])
  const called = CALLS.exec(text)?.[1]
  const script = called === undefined ? [] : [{ keep: `tools.${called}({})` }]
  const asks = endsAsking(text) ? [{ keep: '?' }] : []
  const id = THREAD_AT_END.exec(text)?.[0]
  const thread = id === undefined ? [] : [{ keep: id }]
  const all = [...kept.map((keep) => ({ keep: `${keep} ` })), ...script, { hide: text }]
  return [...all, ...asks, ...thread]
}

/** A title without a sign, and without a thread's id, is the project's name. */
export function isPlainTitle(title: unknown): boolean {
  if (typeof title !== 'string' || THREAD_AT_END.test(title)) return false
  return /^[^\u2801-\u28FF[]/.test(title)
}

/** A rollout is found by its folders, and its thread by its name. */
export function rolloutPathPieces(part: string): readonly TextPiece[] | undefined {
  if (/^\d{2}(?:\d{2})?$/.test(part)) return [{ keep: part }]
  const [, time, id] = ROLLOUT.exec(part) ?? []
  if (time === undefined || id === undefined) return undefined
  return [{ keep: `rollout-${time}-` }, { id }, { keep: '.jsonl' }]
}

const ROLLOUT = /^rollout-([\dT-]{19})-([0-9a-f-]{36})\.jsonl$/

/** How long the client has worked: `5s`, `1m 05s`, `2h 00m`. */
const DURATIONS = Array.from({ length: 60 }, (_, n) => {
  const two = String(n).padStart(2, '0')
  return [n, two].flatMap((number) => [`${number}s`, `${number}m`, `${number}h`]).join(' ')
})

/** What the client itself writes, by which a screen is read. */
export const CODEX_SCREEN_WORDS = [
  ...DURATIONS,
  'Would you like to Do want Allow Press enter confirm or esc cancel interrupt Question Implement',
  'this plan select back skip close dismiss go continue background terminal terminals running',
  'Working Reconnecting Ask Codex do anything Describe a task Find and fix bug Explain',
].join(' ')

/** A change of the typed text must stay visible, even where the length is the same. */
export function codexTypedIn(line: string): Typed | undefined {
  const typed = line.slice(1).trim()
  const isChoice = /^\d+\. /.test(typed)
  const isInput = /^›( |$)/.test(line) && typed !== '' && !isChoice
  return isInput && !PLACEHOLDER.test(typed) ? { before: '› ', typed } : undefined
}

/** Arguments are the user's; the kind of client and the session that it resumes are not. */
export function codexCommand(given: string): string | undefined {
  const argv = given.split(/[\s\0]+/)
  if (!/(^|\/)codex$/.test(argv[0] ?? '')) return undefined
  return argv[1] === 'app-server' ? 'codex app-server' : codexCommandOf(argv)
}
