import type { OpenRequest } from '../../daemon/requests/shapes.ts'
import { BODY_MAX } from './limits.ts'
import { told } from './text.ts'

/** What can be answered by a button of its message. */
export interface Ask {
  readonly request: string
  /** All of it: who presses a button has read what he allows. */
  readonly words: string
}

export type Pressed = 'allow' | 'deny'

/** What a command may come with and still be all there is to know of the call. */
const KNOWN = ['command', 'description', 'timeout']

/**
 * SPEC AN29. One command that fits its message to the letter; of anything longer, hidden or else
 * there is no button.
 */
export function askOf(requests: readonly OpenRequest[]): Ask | null {
  const [only, second] = requests.filter(({ answerable }) => answerable)
  if (!only || second || only.kind !== 'permission' || only.cut) return null
  const input = (only.input ?? {}) as Readonly<Record<string, unknown>>
  const { command } = input
  if (typeof command !== 'string' || !Object.keys(input).every((key) => KNOWN.includes(key)))
    return null
  const words = `$ ${command}`
  return told(words, BODY_MAX, { hideSecrets: false }) === words
    ? { request: only.id, words }
    : null
}
