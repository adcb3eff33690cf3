/** A stretch of text that is shown as it is, or a character nobody would see, by its number. */
export type Run =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mark'; readonly code: string; readonly name: string }

/**
 * SPEC PG20. What is not seen but acts: controls, overrides of direction, what has no width. An
 * agent's command may hold one to look like another; so each is shown by its number.
 */
const HIDDEN = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160]',
    '[\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164]',
    '[\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufffb\\ue000-\\uf8ff]',
    '[\\u{e0000}-\\u{e0fff}\\u{1d173}-\\u{1d17a}]',
  ].join('|'),
  'gu',
)

/** What joins the parts of one emoji is no trick. */
const JOINED = /(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Emoji})/gu

/** Stands for a joiner that stays, while the others are looked for. */
const KEPT = '\ufdd0'

export function runsOf(text: string): readonly Run[] {
  const kept = text.toWellFormed().replaceAll(KEPT, '\ufffd').replace(JOINED, KEPT)
  const runs: Run[] = []
  let from = 0
  for (const match of kept.matchAll(HIDDEN)) {
    if (match.index > from) runs.push(textRun(kept.slice(from, match.index)))
    runs.push(markOf(match[0]))
    from = match.index + match[0].length
  }
  if (from < kept.length) runs.push(textRun(kept.slice(from)))
  return runs
}

function textRun(text: string): Run {
  return { kind: 'text', text: text.replaceAll(KEPT, '\u200d') }
}

function markOf(letter: string): Run {
  const point = letter.codePointAt(0) ?? 0
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  return { kind: 'mark', code, name: NAMES[code] ?? kindOf(point) }
}

function kindOf(point: number): string {
  if (point < 0xa0) return 'control character'
  if (point >= 0xe000 && point <= 0xf8ff) return 'character without a meaning of its own'
  return 'character that is not seen'
}

const NAMES: Readonly<Record<string, string>> = {
  'U+001B': 'escape',
  'U+200B': 'space without width',
  'U+200C': 'non-joiner without width',
  'U+200D': 'joiner without width',
  'U+200E': 'left-to-right mark',
  'U+200F': 'right-to-left mark',
  'U+202A': 'left-to-right embedding',
  'U+202B': 'right-to-left embedding',
  'U+202C': 'end of an embedding',
  'U+202D': 'left-to-right override',
  'U+202E': 'right-to-left override',
  'U+2066': 'left-to-right isolate',
  'U+2067': 'right-to-left isolate',
  'U+2068': 'isolate',
  'U+2069': 'end of an isolate',
  'U+FEFF': 'byte order mark',
}

export interface Cut {
  readonly text: string
  /** Letters that were left out. */
  readonly more: number
}

/** Cut between two characters, and never within one. */
export function cut(text: string, max: number): Cut {
  if (text.length <= max) return { text, more: 0 }
  const last = text.charCodeAt(max - 1)
  const at = last >= 0xd800 && last <= 0xdbff ? max - 1 : max
  return { text: text.slice(0, at), more: text.length - at }
}
