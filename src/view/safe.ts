import { codePointOf, isJoiner, UNSEEN } from '../core/unseen.ts'

/** A run of text that is shown as it is, or the number of an invisible character. */
export type TextRun =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mark'; readonly code: string; readonly name: string }

/**
 * SPEC PG20, OS1. Invisible characters with an effect: controls, direction overrides, zero-width
 * characters. An agent's command may contain them to look like another command, so each is shown as
 * its number.
 */
const HIDDEN = new RegExp(`[${UNSEEN}\\ue000-\\uf8ff]`, 'gu')

export function runsOf(text: string, { joins = true } = {}): readonly TextRun[] {
  const kept = text.toWellFormed()
  const runs: TextRun[] = []
  let from = 0
  for (const match of kept.matchAll(HIDDEN)) {
    if ((joins || match[0] !== '\u200d') && isJoiner(kept, match.index)) continue
    if (match.index > from) runs.push(textRun(kept.slice(from, match.index)))
    runs.push(markOf(match[0]))
    from = match.index + match[0].length
  }
  if (from < kept.length) runs.push(textRun(kept.slice(from)))
  return runs
}

/**
 * SPEC SH3. The same for a terminal, where no character may have an effect. Emoji joiners too:
 * terminals draw a hundred joined emoji in two columns, in two hundred, or only the first three.
 */
export function spelled(text: string): string {
  return runsOf(text, { joins: false })
    .map((run) => (run.kind === 'text' ? run.text.replaceAll('\t', '    ') : `⟨${run.code}⟩`))
    .join('')
}

export function withoutHidden(text: string): string {
  return text.replaceAll(HIDDEN, '')
}

function textRun(text: string): TextRun {
  return { kind: 'text', text }
}

function markOf(letter: string): TextRun {
  const code = codePointOf(letter)
  return { kind: 'mark', code, name: NAMES[code] ?? kindOf(letter.codePointAt(0) ?? 0) }
}

function kindOf(point: number): string {
  if (point < 0xa0) return 'control character'
  if (point >= 0xe000 && point <= 0xf8ff) return 'unassigned character'
  return 'invisible character'
}

const NAMES: Readonly<Record<string, string>> = {
  'U+001B': 'escape',
  'U+200B': 'zero-width space',
  'U+200C': 'zero-width non-joiner',
  'U+200D': 'zero-width joiner',
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
  /** The number of characters that were left out. */
  readonly more: number
}

/** Cuts between two characters, never within one. */
export function cutText(text: string, max: number): Cut {
  if (text.length <= max) return { text, more: 0 }
  const last = text.charCodeAt(max - 1)
  const at = last >= 0xd800 && last <= 0xdbff ? max - 1 : max
  return { text: text.slice(0, at), more: text.length - at }
}
