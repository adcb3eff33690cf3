import type { Report } from '../core/signal.ts'
import { isObject, NESTING_MAX, tame } from './tame.ts'

export interface Rejected {
  readonly rejected: string
}

/** A spool file is complete when it ends so; JSON holds no raw newline that could look like it. */
export const SPOOL_END = '\n.\n'

/** Pure: what a complete spool file reports, or why it cannot be used. */
export function parseSpool(name: string, text: string, t: number): Report | Rejected {
  const kind = spoolName(name)?.kind
  if (!kind) return rejected('name', 'hook.<pid> or statusline.<pid>', 'another')
  if (!text.startsWith(FIRST_LINE)) return rejected('first line', '"vigil 1"', 'another')
  const end = text.indexOf('\n\n', FIRST_LINE.length - 1)
  if (end < 0) return rejected('header', 'an empty line at its end', 'none')
  if (!text.endsWith(SPOOL_END)) return rejected('end', 'a line with a point', 'none')
  const payload = parse(text.slice(end + 2, -SPOOL_END.length))
  if (payload === undefined) return rejected('payload', 'JSON', 'something else')
  if (!isObject(payload)) return rejected('payload', 'a JSON object', 'another value')
  if (!tame(payload)) return rejected('payload', `at most ${NESTING_MAX} levels`, 'more')
  if (kind === 'statusline') return { t, source: kind, payload }
  return { t, source: kind, env: headerOf(text.slice(FIRST_LINE.length, end)), payload }
}

/** `<kind>.<pid>`, or `<kind>.<pid>.<n>` where that name was taken; pid is the writer's. */
export function spoolName(name: string) {
  const [, kind, pid, n] = NAME.exec(name) ?? []
  if (!kind || !pid) return undefined
  return { kind: kind as 'hook' | 'statusline', pid: Number(pid), n: Number(n ?? 0) }
}

const NAME = /^(hook|statusline)\.([1-9]\d{0,9})(?:\.(\d{1,9}))?$/
const FIRST_LINE = 'vigil 1\n'

/** As long as a path may be: a longer value was not set by a terminal. */
const VALUE_MAX_CHARS = 4096
const NUMBERS: ReadonlySet<string> = new Set(['ppid', 'claudePid', 'asks', 'loopOff'])
const TEXTS: ReadonlySet<string> = new Set([
  'tmux',
  'tmuxPane',
  'tty',
  'terminal',
  'configDir',
  'blockCap',
])

/** Only what is known here: the environment it is taken from holds secrets. */
function headerOf(header: string): Record<string, string | number> {
  const env: Record<string, string | number> = {}
  for (const line of header.split('\n')) {
    const at = line.indexOf('=')
    const key = line.slice(0, Math.max(at, 0))
    const value = line.slice(at + 1)
    if (NUMBERS.has(key) && /^[1-9]\d{0,9}$/.test(value)) env[key] = Number(value)
    if (TEXTS.has(key) && value !== '' && value.length <= VALUE_MAX_CHARS) env[key] = value
  }
  return env
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function rejected(what: string, expected: string, came: string): Rejected {
  return { rejected: `${what}: expected ${expected}, found ${came}` }
}
