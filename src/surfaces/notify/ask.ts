import type { OpenRequest } from '../../protocol/request.ts'
import { whatToShow } from '../../view/request.ts'
import { shownLines } from '../../view/request-lines.ts'
import { spelled } from '../../view/safe.ts'
import { BODY_MAX } from './limits.ts'
import { told } from './text.ts'

/** A request that buttons of the message can answer. */
export interface AnswerButtons {
  readonly request: string
  /** The digest of what the words show. */
  readonly shown: string
  /** The whole request: a user who presses a button has read what the button allows. */
  readonly words: string
}

/** In JSON characters: a longer input does not fit and need not be rendered. */
const INPUT_MAX = 4 * BODY_MAX

export type Pressed = 'allow' | 'deny'

/**
 * SPEC AN29, SH7. One request that fits into its message completely, with every field. A longer
 * request, or one with hidden parts, gets no buttons.
 */
export function askOf(requests: readonly OpenRequest[]): AnswerButtons | null {
  const [only, second] = requests.filter(({ answerable }) => answerable)
  if (!only || second || only.kind !== 'permission' || only.cut) return null
  if (JSON.stringify(only.input).length > INPUT_MAX) return null
  const blocks = whatToShow(only)
  if (blocks[0]?.is !== 'command') return null
  const words = shownLines(blocks)
    .map(({ sign, text }) => `${sign} ${text}`.trim())
    .join(' · ')
  const isWhole = told(words, BODY_MAX, { hideSecrets: false }) === words
  const isPlain = blocks.every(
    (block) => 'text' in block && !/\n/.test(block.text) && spelled(block.text) === block.text,
  )
  return isWhole && isPlain ? { request: only.id, shown: only.digest, words } : null
}
