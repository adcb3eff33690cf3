/**
 * SPEC OS1. Characters that are invisible but have an effect: terminal controls (C0, DEL, C1),
 * direction marks, line separators, zero-width characters, tags. The only table in vigil: every
 * surface hides, marks or escapes these. The surface decides about tabs and line ends.
 */
export const UNSEEN = [
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160',
  '\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164',
  '\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb',
  '\\u{e0000}-\\u{e0fff}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}',
].join('')

const IN_TEXT = new RegExp(`[${UNSEEN}]`, 'gu')
const IN_LINE = new RegExp(`[\\n${UNSEEN}]`, 'gu')
const RUNS = new RegExp(`[\\t\\n${UNSEEN}]+`, 'gu')

/** One line of text with each invisible character as its number: `<U+001B>`. */
export function markUnseen(line: string): string {
  return line.replace(IN_LINE, (letter, at: number) =>
    isJoiner(line, at) ? letter : `<${codePointOf(letter)}>`,
  )
}

/** The same JSON in visible characters: each invisible one as `\u001b`. */
export function escapedJson(json: string): string {
  return json.replace(IN_TEXT, (letter) =>
    Array.from({ length: letter.length }, (_, i) => escaped(letter.charCodeAt(i))).join(''),
  )
}

/** One line with a blank for each invisible character. */
export function blanked(text: string): string {
  return text.replace(RUNS, (run, at: number) =>
    Array.from({ length: run.length }).every((_, i) => isJoiner(text, at + i)) ? run : ' ',
  )
}

/** Without invisible characters; lines and tabs stay. */
export function stripped(text: string): string {
  return text.replace(IN_TEXT, (letter, at: number) => (isJoiner(text, at) ? letter : ''))
}

/** `U+001B` */
export function codePointOf(letter: string): string {
  const point = letter.codePointAt(0) ?? 0
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
}

const PICTURE = '\\p{Extended_Pictographic}'
const SKIN = '[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?'
const JOINER = new RegExp(
  [
    `(?<=${PICTURE}${SKIN})\\u200d(?=${PICTURE})`,
    // A picture in colour or not, and a key with a digit on it.
    `(?<=${PICTURE})[\\ufe0e\\ufe0f]`,
    '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  ].join('|'),
  'uy',
)

/** A joiner between the parts of one emoji is legitimate. */
export function isJoiner(text: string, at: number): boolean {
  JOINER.lastIndex = at
  return JOINER.test(text)
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
