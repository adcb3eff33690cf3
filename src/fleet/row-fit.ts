import type { Session } from '../protocol/session.ts'
import type { SharedRow } from './shapes.ts'

/** How long a text and how long a list may be. */
interface FitLevel {
  readonly chars: number
  readonly items: number
}

/**
 * Tried in this order. Lists shrink with texts: a session with many tasks keeps some of them, and a
 * word of each. At the last one a row of usual ids has less than 2 KB.
 */
const LEVELS: readonly FitLevel[] = [
  { chars: 2_000, items: 200 },
  { chars: 1_000, items: 100 },
  { chars: 500, items: 50 },
  { chars: 250, items: 30 },
  { chars: 120, items: 20 },
  { chars: 60, items: 10 },
  { chars: 30, items: 5 },
  { chars: 10, items: 2 },
  { chars: 0, items: 0 },
]

/**
 * SPEC FL10, FL11. A session's row that has at most so many bytes as JSON. Ids, states, times and
 * numbers stay as they are; a path or a command is whole or missing, because a part of one names
 * something else. Undefined where the ids alone are longer.
 */
export function fitRow(session: Session, maxBytes: number): SharedRow | undefined {
  const whole = { session, isCut: false }
  if (!hasLonger(session, maxBytes) && fits(whole, maxBytes)) return whole
  for (const level of LEVELS) {
    const cut = { session: cutSession(session, level), isCut: true }
    if (fits(cut, maxBytes)) return cut
  }
  return undefined
}

/** Spares the daemon from writing megabytes of JSON only to measure them. */
function hasLonger({ request, doing, ...session }: Session, chars: number): boolean {
  const values = [session, request, doing].flatMap((part) => Object.values<unknown>(part ?? {}))
  return values.some((value) => typeof value === 'string' && value.length > chars)
}

function fits(row: SharedRow, maxBytes: number): boolean {
  return Buffer.byteLength(JSON.stringify(row)) <= maxBytes
}

function cutSession(session: Session, { chars, items }: FitLevel): Session {
  const text = (value: string) => cutText(value, chars)
  const maybeText = (value: string | null) => (value === null ? null : text(value))
  // Paths are longer than words, and of no use in part.
  const wholeText = (value: string | null) => (value && value.length > chars * 4 ? null : value)
  const { request, doing, loop, limits } = session
  return {
    ...session,
    name: text(session.name),
    host: text(session.host),
    cause: maybeText(session.cause),
    how: maybeText(session.how),
    reason: text(session.reason),
    project: maybeText(session.project),
    branch: maybeText(session.branch),
    title: maybeText(session.title),
    prompt: maybeText(session.prompt),
    reply: maybeText(session.reply),
    model: maybeText(session.model),
    mode: maybeText(session.mode),
    version: maybeText(session.version),
    cwd: wholeText(session.cwd),
    tmuxPane: wholeText(session.tmuxPane),
    tmuxSocket: wholeText(session.tmuxSocket),
    tty: wholeText(session.tty),
    terminal: wholeText(session.terminal),
    transcript: wholeText(session.transcript),
    attach: wholeText(session.attach),
    request: request && withTexts(request, ['tool', 'text', 'actor'], text),
    doing: doing && withTexts(doing, ['tool', 'label'], text),
    loop: loop && { ...loop, hold: maybeText(loop.hold) },
    limits: limits && { ...limits, windows: limits.windows.slice(0, items) },
    tasks: session.tasks.slice(0, items).map((task) => withTexts(task, ['what', 'label'], text)),
    asks: session.asks.slice(0, items),
  }
}

function withTexts<T extends object>(
  value: T,
  keys: readonly (keyof T)[],
  cut: (text: string) => string,
): T {
  const copy = { ...value }
  for (const key of keys) {
    const text = copy[key]
    if (typeof text === 'string') copy[key] = cut(text) as T[typeof key]
  }
  return copy
}

function cutText(text: string, chars: number): string {
  if (text.length <= chars) return text
  if (chars === 0) return ''
  // Half a pair of surrogates is no character.
  return `${text.slice(0, chars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
