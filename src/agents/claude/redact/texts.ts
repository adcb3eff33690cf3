import { endsAsking } from '../../../core/attention.ts'
import type { TextPiece, Typed } from '../../redact.ts'
import { INPUT_MARK, PLACEHOLDERS, RULE } from '../screen-rules.ts'

const WHOLE = new Set([
  '[Request interrupted by user]',
  '[Request interrupted by user for tool use]',
])

const OPENINGS = [
  ...['Stop hook feedback:', '<command-name>/clear<', '<command-'],
  ...['<local-command-caveat>', '<local-command-'],
  ...['<bash-stdout>', '<bash-stderr>'],
]

const NOTICE = '<task-notification>'

/** Splits a text into the parts that show its origin and purpose, and what its author wrote. */
export function textPieces(text: string): readonly TextPiece[] {
  if (WHOLE.has(text)) return [{ keep: text }]
  if (text.startsWith(NOTICE)) return noticePieces(text)
  const opening = OPENINGS.find((one) => text.startsWith(one)) ?? ''
  const asks = endsAsking(text) ? [{ keep: '?' }] : []
  return [{ keep: opening }, { hide: text.slice(opening.length) }, ...asks]
}

/** The client's own prompt when a task has ended: only the task's name counts. */
function noticePieces(text: string): readonly TextPiece[] {
  const task = /<task-id>([^<]{1,100})<\/task-id>/.exec(text.slice(0, 1_000))?.[1]
  const named: TextPiece[] = [{ keep: '\n<task-id>' }, { hide: task ?? '' }, { keep: '</task-id>' }]
  return [{ keep: NOTICE }, ...(task === undefined ? [] : named), { keep: '\n' }, { hide: text }]
}

/** `mcp__server__tool` stays recognisable as a server's tool. */
export function toolPieces(tool: string): readonly TextPiece[] | undefined {
  const [, server, name] = /^mcp__(.+?)__(.+)$/s.exec(tool) ?? []
  if (server === undefined || name === undefined) return undefined
  return [{ keep: 'mcp__' }, { name: server }, { keep: '__' }, { name }]
}

/** The client cuts the name of a folder there. */
const PROJECT_MAX_CHARS = 200

/** A transcript's folder still matches its working folder, by which it is found. */
export function pathPieces(
  part: string,
  above: string | undefined,
): readonly TextPiece[] | undefined {
  const [, agent = '', id = ''] = /^(agent-)?(.+)\.jsonl$/.exec(part) ?? []
  if (id !== '') return [{ keep: agent }, { id }, { keep: '.jsonl' }]
  return above === 'projects' ? [{ folder: part.slice(0, PROJECT_MAX_CHARS) }] : undefined
}

/** What the client itself writes, by which a screen is read. */
export const SCREEN_WORDS = [
  'Waiting for permission to finish still running done Retrying in Running Try',
  'Press up to edit queued messages Exit plan mode Ready to code Would you like to proceed',
  'Do you want to Quick safety check Enter select submit your answers Esc cancel interrupt',
].join(' ')

/** A change of the typed text must stay visible, even where the length is the same. */
export function typedIn(line: string, above: string): Typed | undefined {
  const typed = line.slice(1).trim()
  const isInput = INPUT_MARK.test(line) && RULE.test(above) && !PLACEHOLDERS.test(typed)
  return isInput ? { before: `${line[0]} `, typed } : undefined
}

/** Arguments are the user's; whether it is the client is not. */
export function command(given: string): string | undefined {
  if (/(^|\/)claude(\s|$)/.test(given)) return 'claude'
  return given.includes('claude-code/') ? 'claude-code/cli.js' : undefined
}
