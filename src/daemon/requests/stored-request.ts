import type { AskedCall } from '../../agents/answers.ts'
import { shortOf } from '../../agents/asked-bounds.ts'
import { agentOf, layoutOf, translate, UNNAMED_AGENT } from '../../agents/index.ts'
import { requestKey } from '../../core/learn/requests.ts'
import type { OpenRequest } from '../../protocol/request.ts'
import type { Arrival, Spooled } from '../../sources/arrival.ts'
import type { RequestRow } from '../../store/acts.ts'
import { trim } from '../trim.ts'
import type { RequestFiles } from './request-files.ts'

/** A request as stored while it is open. */
export interface StoredRequest {
  readonly id: string
  readonly at: number
  /** Its key in the facts of its session. */
  readonly key: string
  /** Whether its hook reported that it waits. */
  readonly waits: boolean
  /** The report by which its hook asks about it. */
  readonly spooled: Spooled
  /** The agent that asks. */
  readonly agent: string
  readonly asked: AskedCall
  /** Its input was dropped: too many requests were open at once. */
  readonly crowded: boolean
  /** Its size in memory and in a listing. */
  readonly bytes: number
}

export const CROWDED = 'too many requests are open at once; answer this one in its terminal'

/** Id, digest, times, and why it cannot be answered. */
const FRAME_BYTES = 512

function bytesOf(asked: AskedCall): number {
  return Buffer.byteLength(JSON.stringify(asked)) + FRAME_BYTES
}

/**
 * SPEC AN6. The report's own name and time identify the request: no other dialog has them. SPEC
 * BR1. Only reports that a hook left in the spool can be answered.
 */
export function storedFrom({ report, key: id, spooled }: Arrival): StoredRequest | undefined {
  if (id === undefined || spooled === undefined) return undefined
  const agent = agentOf(report.agent)
  const asked = agent?.answers?.askedIn(report)
  if (!agent?.answers || !asked) return undefined
  // As it was learnt: long texts were cut before.
  const signals = translate(trim(report))
  const opened = signals.find((signal) => signal.kind === 'request-opened')
  if (!opened) return undefined
  const [key, waits] = [requestKey(opened), agent.answers.waits(report)]
  return storedRequest({ id, at: opened.at, key, waits, spooled, agent: agent.id, asked })
}

export function storedRequest(stored: Omit<StoredRequest, 'crowded' | 'bytes'>): StoredRequest {
  return { ...stored, crowded: false, bytes: bytesOf(stored.asked) }
}

/** SPEC BR4. */
export function withoutInput(stored: StoredRequest): StoredRequest {
  const asked = shortOf(stored.asked)
  return { ...stored, asked, crowded: true, bytes: bytesOf(asked) }
}

export function requestRowOf({ id, at, bytes: _, ...body }: StoredRequest): RequestRow {
  return { id, session: body.asked.session, at, body }
}

/** Undefined for a row of unknown form. */
export function revived({ id, session, at, body }: RequestRow): StoredRequest | undefined {
  const stored = (body ?? {}) as Partial<StoredRequest>
  const { key, waits, spooled, agent = UNNAMED_AGENT, asked, crowded = false } = stored
  if (typeof key !== 'string' || typeof waits !== 'boolean' || !isAsked(asked)) return undefined
  if (typeof spooled?.name !== 'string' || typeof spooled.digest !== 'string') return undefined
  if (asked.session !== session) return undefined
  return { id, at, key, waits, spooled, agent, asked, crowded, bytes: bytesOf(asked) }
}

function isAsked(asked: Partial<AskedCall> | undefined): asked is AskedCall {
  const lists = [asked?.questions, asked?.offers]
  return lists.every(Array.isArray) && typeof asked?.tool === 'string'
}

export function openRequest(
  stored: StoredRequest,
  why: string | null,
  shownWith: ReturnType<RequestFiles['shownWith']>,
): OpenRequest {
  const { id, at, agent, asked, spooled } = stored
  const { digest } = spooled
  const { offers: _, ...shown } = asked
  return {
    id,
    at,
    digest,
    ...shown,
    ...shownWith,
    layout: layoutOf(agent, asked),
    suggestions: agentOf(agent)?.answers?.suggestionsOf(asked) ?? [],
    answerable: why === null,
    why,
  }
}

/** SPEC AU8. What was decided on, and the decision in the agent's form. */
export function decidedOn(
  { asked: { tool, input, cut }, spooled }: StoredRequest,
  decision: object,
) {
  return { request: spooled.digest, tool, input, ...(cut && { cut }), decision }
}
