export const HIDDEN = '[hidden]'

/** The value after a name or an option: quoted, quoted within quotes, or one word. */
const QUOTED = [
  '"(?:[^"\\\\]|\\\\[^])*"?',
  "'[^']*'?",
  '\\\\{1,4}"[^"\\\\]*(?:\\\\{1,4}"?)?',
  "\\\\{1,4}'[^'\\\\]*(?:\\\\{1,4}'?)?",
]
/** A word ends where a shell, an address or a list of settings continues. */
const BARE = [
  '[^\\s"\'`;&|\\\\]',
  ';(?![\\s;[]|$|[\\w .-]{1,40}=)',
  '&(?![&\\s[]|$|[\\w.-]{1,40}=)',
]
const [QUOTES, LETTERS] = [QUOTED, [...BARE, '\\\\']].map((some) => `(?:${some.join('|')})`)
/** Not a word and then a quote: that quote may close an outer one. */
const VALUE = new RegExp(`${QUOTES}+${LETTERS}*|${LETTERS}+`, 'y')

/** The end of the value that begins here; its beginning if there is none. */
export function valueEnd(text: string, at: number): number {
  VALUE.lastIndex = at
  return VALUE.test(text) ? VALUE.lastIndex : at
}

/** Longer values are hidden without a check. */
const LOOKED_AT_MAX = 120

/** Words that follow such names in code and prose. */
const ORDINARY = new RegExp(
  `^(?:${[
    'true|false|null|none|nil|undefined|yes|no|on|off|unset|empty|required|optional|default',
    'string|str|number|int|bool|boolean|any|unknown|object|bytes|text|varchar|secretstr',
    'await|new|async|function|await|expired|invalid|missing|valid|wrong|incorrect|needed|changed',
    '\\*+|\\.{2,}|…|<[^>]*>|\\[|\\{|\\(|\\{\\}|\\[\\]',
  ].join('|')})[.,:;!?)\\]}]*$`,
  'i',
)

/** Taken from elsewhere: a variable of a shell, a call, the environment. */
const ELSEWHERE = new RegExp(
  [
    '^\\$(?:[A-Z_][A-Z0-9_]*$|\\{[A-Z_][A-Z0-9_]*\\}$|\\(|\\{\\{)|^%\\w+%$|^\\{\\{',
    '^[A-Za-z_][\\w.]*\\([\\w"\')]|^(?:process\\.env|import\\.meta\\.env|os\\.environ)\\b',
  ].join('|'),
)

/** Not a secret: empty, a word of the language, or only a reference to one. */
export function isOrdinary(value: string): boolean {
  if (value.length > LOOKED_AT_MAX) return false
  const bare = value.replace(/^\\*["'`]|\\*["'`]$/g, '')
  // A shell expands nothing between single quotes.
  const isElsewhere = !value.startsWith("'") && ELSEWHERE.test(bare)
  return /^[\s"'`,.;:)\]}\\-]*$/.test(bare) || ORDINARY.test(bare) || isElsewhere
}
