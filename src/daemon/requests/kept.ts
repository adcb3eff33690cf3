import { suggestionsOf } from '../../agents/claude/answer-offers.ts'
import { type Asked, askedIn, waitsForAnswer } from '../../agents/claude/answer-request.ts'
import { translate } from '../../agents/claude/translate.ts'
import { requestKey } from '../../core/learn/requests.ts'
import type { Arrival } from '../../sources/arrival.ts'
import type { RequestRow } from '../../store/acts.ts'
import { nameInKey } from '../awaited.ts'
import { trim } from '../trim.ts'
import type { OpenRequest } from './shapes.ts'

/** A request as it is kept while it is open. */
export interface Kept {
  readonly id: string
  readonly at: number
  /** By which the facts of its session know it. */
  readonly key: string
  /** Its hook said that it would wait. */
  readonly waits: boolean
  readonly asked: Asked
}

/** SPEC AN6. The report's own name and time name the request: no other dialog has them. */
export function keptFrom({ report, key: id }: Arrival): Kept | undefined {
  const asked = id === undefined ? undefined : askedIn(report)
  if (id === undefined || !asked) return undefined
  // As it was learnt: what is long was cut before.
  const signals = translate(trim(report))
  const opened = signals.find((signal) => signal.kind === 'request-opened')
  if (!opened) return undefined
  return { id, at: opened.at, key: requestKey(opened), waits: waitsForAnswer(report), asked }
}

export function rowOf({ id, at, ...body }: Kept): RequestRow {
  return { id, session: body.asked.session, at, body }
}

/** None for what was written by nobody we know. */
export function revived({ id, session, at, body }: RequestRow): Kept | undefined {
  const { key, waits, asked } = (body ?? {}) as Partial<Kept>
  if (typeof key !== 'string' || typeof waits !== 'boolean' || !isAsked(asked)) return undefined
  return asked.session === session ? { id, at, key, waits, asked } : undefined
}

function isAsked(asked: Partial<Asked> | undefined): asked is Asked {
  const lists = [asked?.lines, asked?.questions, asked?.offers]
  return lists.every(Array.isArray) && typeof asked?.tool === 'string'
}

/** The name by which its hook asks about it. */
export function nameOf({ id }: Kept): string {
  return nameInKey(id)
}

export function openRequest({ id, at, asked }: Kept, why: string | null): OpenRequest {
  const { offers: _, ...shown } = asked
  return { id, at, ...shown, suggestions: suggestionsOf(asked), answerable: why === null, why }
}
