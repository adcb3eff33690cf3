import { isJoiner, UNSEEN } from '../../core/unseen.ts'
import { RAW_MAX } from './limits.ts'
import { withoutSecrets } from './secrets.ts'

export interface Leaving {
  /** The text leaves the machine, and the channel may not carry secrets. */
  readonly hideSecrets: boolean
}

/**
 * SPEC NO10–NO12. An agent's text as one safe line of at most `max` letters. Secrets are searched
 * after invisible characters are removed, and before the text is cut.
 */
export function told(text: string, max: number, { hideSecrets }: Leaving): string {
  const line = visible(text.slice(0, RAW_MAX))
  if (!hideSecrets) return cut(line, max)
  const clean = withoutSecrets(line)
  return cut(text.length > RAW_MAX ? withoutHalf(clean) : clean, max)
}

/** SPEC OS8. A part of a secret that is too short to be recognised is not longer than this. */
const HALF_MAX = 100

/** Without the last word: in a text that was cut it may be half a secret. */
function withoutHalf(line: string): string {
  return line.slice(0, Math.max(line.lastIndexOf(' '), line.length - HALF_MAX, 0))
}

/** Invisible characters except controls, which separate words. */
const NO_WIDTH = new RegExp(`(?!\\p{Cc}|\\p{Zl}|\\p{Zp})[${UNSEEN}]`, 'gu')

/**
 * Removes control characters, direction marks, zero-width characters and halves of letters. A
 * separator becomes a space; an invisible character within a word is dropped.
 */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(NO_WIDTH, (letter, at, all) => (isJoiner(all, at) ? letter : ''))
    .replaceAll(/\p{Cf}|\p{Co}|[\uFE00-\uFE0E]|\uFFFD/gu, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .trim()
}

/** Letters are counted as code points, so that none is cut in half. */
function cut(text: string, max: number): string {
  const letters = Array.from(text)
  if (letters.length <= max) return text
  return max < 1
    ? ''
    : `${letters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
}
