import { agentOf } from '../../agents/index.ts'
import type { Facts } from '../../core/facts.ts'
import { canonicalJson } from '../../core/json.ts'
import type { Session } from '../../protocol/session.ts'
import { transcriptEnd } from '../../sources/transcript-file.ts'
import { sha256 } from '../../store/chain.ts'
import { type StoredRequest, storedRequest } from './stored-request.ts'

/** A longer call is incomplete in this tail, and so is not used. */
const TAIL_MAX_BYTES = 512 * 1024

/** No key of a hook's request begins like this: those begin with an actor. */
const LOGGED = 'log|'

/**
 * SPEC AN35. The request of a session without hooks: the one call of its log without a result,
 * where the session waits for what that call would ask. None while subagents run: one of them may
 * be asking.
 */
export function loggedRequest(session: Session): StoredRequest | undefined {
  const { id: name, state, for: reason, transcript, tasks, since: at } = session
  const { id: agent, answers, logs } = agentOf(session.agent) ?? {}
  if (state !== 'waiting' || transcript === null || tasks.length > 0) return undefined
  if (agent === undefined || !answers?.pendingIn || !logs) return undefined
  const lines = transcriptEnd(logs, transcript, TAIL_MAX_BYTES) ?? []
  const [call, ...others] = answers.pendingIn(lines, name)
  if (!call || others.length > 0 || call.asked.kind !== reason) return undefined
  const { asked } = call
  const id = `log:${name}:${call.id}`
  const spooled = { name: id, digest: sha256(canonicalJson([id, asked.tool, asked.input])) }
  return storedRequest({ id, at, key: LOGGED + call.id, waits: false, spooled, agent, asked })
}

export function isLogged({ key }: Pick<StoredRequest, 'key'>): boolean {
  return key.startsWith(LOGGED)
}

/** Whether its dialog may still be open; where hooks report requests, theirs replace it. */
export function loggedStands(facts: Facts, isWaiting: boolean, key: string): boolean {
  const id = key.slice(LOGGED.length)
  const hasEnded = facts.tools.some((tool) => tool.id === id && tool.endedAt !== undefined)
  return isWaiting && facts.heard.hook === undefined && !hasEnded
}
