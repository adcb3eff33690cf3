/**
 * SPEC OS1. Characters that are not seen but act: controls of a terminal (C0, DEL, C1), what turns
 * the reading direction, what breaks a line, what has no width, tags. The one table of vigil: every
 * surface hides, marks or escapes these. A tab and the end of a line are left to the surface.
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

/** One line of text in which each unseen character stands by its number: `<U+001B>`. */
export function markUnseen(line: string): string {
  return line.replace(IN_LINE, (letter, at: number) =>
    isJoiner(line, at) ? letter : `<${codePointOf(letter)}>`,
  )
}

/** The same JSON in characters that can be seen: each unseen one as `\u001b`. */
export function escapedJson(json: string): string {
  return json.replace(IN_TEXT, (letter) =>
    Array.from({ length: letter.length }, (_, i) => escaped(letter.charCodeAt(i))).join(''),
  )
}

/** One line in which a blank stands for what is not seen. */
export function blanked(text: string): string {
  return text.replace(RUNS, (run, at: number) =>
    Array.from({ length: run.length }).every((_, i) => isJoiner(text, at + i)) ? run : ' ',
  )
}

/** Without what is not seen; lines and tabs stay. */
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

/** What joins the parts of one emoji is no trick. */
export function isJoiner(text: string, at: number): boolean {
  JOINER.lastIndex = at
  return JOINER.test(text)
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
