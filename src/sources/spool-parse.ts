import { agentOf } from '../agents/index.ts'
import { parseJson } from '../core/json.ts'
import { isObject } from '../core/loop/fields.ts'
import type { Report } from '../core/signal.ts'
import { makeJsonSafe, NESTING_MAX } from './safe-json.ts'

export interface Rejected {
  readonly rejected: string
}

/** A complete spool file ends with this; JSON has no raw newline that could look like it. */
export const SPOOL_END = '\n.\n'

/** Pure: the report in a complete spool file, or why it cannot be used. */
export function parseSpool(name: string, text: string, t: number): Report | Rejected {
  const kind = spoolName(name)?.kind
  if (!kind) return rejected('name', 'hook.<pid> or statusline.<pid>', 'another')
  if (!text.startsWith(FIRST_LINE)) return rejected('first line', '"vigil 1"', 'another')
  const end = text.indexOf('\n\n', FIRST_LINE.length - 1)
  if (end < 0) return rejected('header', 'an empty line at its end', 'none')
  if (!text.endsWith(SPOOL_END)) return rejected('end', 'a line with a point', 'none')
  const payload = parseJson(text.slice(end + 2, -SPOOL_END.length))
  if (payload === undefined) return rejected('payload', 'JSON', 'something else')
  if (!isObject(payload)) return rejected('payload', 'a JSON object', 'another value')
  if (!makeJsonSafe(payload)) return rejected('payload', `at most ${NESTING_MAX} levels`, 'more')
  const header = text.slice(FIRST_LINE.length, end).split('\n').map(fieldOf)
  const agent = header.find(([key]) => key === 'agent')?.[1]
  const named = agent === undefined ? {} : { agent: agent.slice(0, VALUE_MAX_CHARS) }
  if (kind === 'statusline') return { t, source: kind, ...named, payload }
  return { t, source: kind, ...named, env: envOf(header, agent), payload }
}

/** `<kind>.<pid>`, or `<kind>.<pid>.<n>` where that name was taken; pid is the writer's. */
export function spoolName(name: string) {
  const [, kind, pid, n] = NAME.exec(name) ?? []
  if (!kind || !pid) return undefined
  return { kind: kind as 'hook' | 'statusline', pid: Number(pid), n: Number(n ?? 0) }
}

const NAME = /^(hook|statusline)\.([1-9]\d{0,9})(?:\.(\d{1,9}))?$/
const FIRST_LINE = 'vigil 1\n'

/** The longest possible path: a longer value does not come from a terminal. */
const VALUE_MAX_CHARS = 4096
const NUMBERS = ['ppid', 'asks', 'loopOff']
const TEXTS = ['tmux', 'tmuxPane', 'tty', 'terminal']

/** Only the variables of every hook and of this agent: the environment holds secrets. */
function envOf(header: readonly Field[], agent: string | undefined) {
  const notes = agentOf(agent)?.hook?.notes ?? []
  const numbers = [...NUMBERS, ...notes.flatMap(({ as, isNumber }) => (isNumber ? as : []))]
  const texts = [...TEXTS, ...notes.flatMap(({ as, isNumber }) => (isNumber ? [] : as))]
  const env: Record<string, string | number> = {}
  for (const [key, value] of header) {
    if (numbers.includes(key) && /^[1-9]\d{0,9}$/.test(value)) env[key] = Number(value)
    if (texts.includes(key) && value !== '' && value.length <= VALUE_MAX_CHARS) env[key] = value
  }
  return env
}

type Field = readonly [key: string, value: string]

function fieldOf(line: string): Field {
  const at = Math.max(line.indexOf('='), 0)
  return [line.slice(0, at), line.slice(at + 1)]
}

function rejected(what: string, expected: string, came: string): Rejected {
  return { rejected: `${what}: expected ${expected}, found ${came}` }
}
