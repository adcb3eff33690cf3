import type { Facts } from '../../core/facts.ts'
import { unansweredRequests } from '../../core/rules/requests.ts'
import type { Verdict } from '../../core/verdict.ts'
import { isLogged, loggedStands } from './logged-request.ts'
import { isServed } from './served-requests.ts'

/** SPEC AN15. Why a request is over, in words; undefined while its dialog is open. */
export function overBy(
  facts: Facts | undefined,
  said: Pick<Verdict, 'state'> | undefined,
  { key, at }: { readonly key: string; readonly at: number },
): string | undefined {
  // The server says itself when it is over.
  if (isServed({ key })) return undefined
  if (!facts || said?.state === 'closed') return 'the session was closed'
  // SPEC W11. Without a user the client refuses by itself.
  if (facts.unattended) return 'the client answers by itself, because no user is attached'
  const isLog = isLogged({ key })
  if (isLog && loggedStands(facts, said?.state === 'waiting', key)) return undefined
  if (isLog) return 'answered in its terminal'
  // Answers through vigil are fast: the next dialog may open within a hook's lag.
  const open = unansweredRequests(facts, 0)
  const stands = open.some((request) => request.key === key && request.at === at)
  return stands ? undefined : 'answered in its terminal'
}
