import { isJoiner, UNSEEN } from '../../core/unseen.ts'
import { RAW_MAX } from './limits.ts'
import { withoutSecrets } from './secrets.ts'

export interface Leaving {
  /** It leaves the machine, and secrets were not allowed to. */
  readonly hideSecrets: boolean
}

/**
 * SPEC NO10–NO12. Text of an agent as one harmless line of at most `max` letters. Secrets are
 * looked for when nothing unseen can stand in the middle of one, and before half of one is cut off.
 */
export function told(text: string, max: number, { hideSecrets }: Leaving): string {
  const line = visible(text.slice(0, RAW_MAX))
  if (!hideSecrets) return cut(line, max)
  const clean = withoutSecrets(line)
  return cut(text.length > RAW_MAX ? withoutHalf(clean) : clean, max)
}

/** SPEC OS8. Too short a piece of any secret to be known for one is not longer than this. */
const HALF_MAX = 100

/** Without the last word: where a long text was cut it may be half of a secret. */
function withoutHalf(line: string): string {
  return line.slice(0, Math.max(line.lastIndexOf(' '), line.length - HALF_MAX, 0))
}

/** The unseen characters but for the controls, which part words. */
const NO_WIDTH = new RegExp(`(?!\\p{Cc}|\\p{Zl}|\\p{Zp})[${UNSEEN}]`, 'gu')

/**
 * Control characters, marks that turn the reading direction, what has no width, and halves of
 * letters. What separated words is a space; what stood unseen within one is gone.
 */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(NO_WIDTH, (letter, at, all) => (isJoiner(all, at) ? letter : ''))
    .replaceAll(/\p{Cf}|\p{Co}|[\uFE00-\uFE0E]|\uFFFD/gu, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .trim()
}

/** Letters are counted as code points: half of one would be none. */
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
