import type { Session } from '../../protocol/session.ts'
import { inAttention } from '../../view/order.ts'
import { wordsOf } from '../../view/session.ts'

interface Named {
  readonly name: string
  readonly what: string
}

/** Longer names are easier to copy than to complete. */
const NAME_MAX_CHARS = 100

/**
 * What a user may type for a session: without a prefix one name for each, with a prefix everything
 * that begins with it, ids too.
 */
export function sessionNames(sessions: readonly Session[], begun: string): Named[] {
  const named = inAttention(sessions).flatMap((session) => {
    const own = callsOf(session).filter((name) => isClear(sessions, name))
    const names = begun === '' ? [own[0] ?? session.id] : [...own, session.id]
    return names
      .filter((name) => name.startsWith(begun) && isTypable(name))
      .map((name) => ({ name, what: wordsOf(session) }))
  })
  return named.filter(({ name }, at) => named.findIndex((other) => other.name === name) === at)
}

function callsOf({ name, title, project }: Session): string[] {
  return [...new Set([name, title, project])].filter((call) => call !== null)
}

function isClear(sessions: readonly Session[], name: string): boolean {
  const called = sessions.filter((session) => session.name === name)
  const also = sessions.filter((session) => callsOf(session).includes(name))
  return called.length === 1 || (called.length === 0 && also.length === 1)
}

/** The name fits on a line of a listing and is one word of a command line, however it is quoted. */
function isTypable(name: string): boolean {
  return name !== '' && name.length <= NAME_MAX_CHARS && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)
}
