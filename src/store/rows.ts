import type { SQLOutputValue } from 'node:sqlite'
import { parseJson } from '../core/json.ts'
import { type Report, SOURCES } from '../core/signal.ts'
import type { Verdict } from '../core/verdict.ts'
import type { Cursor } from '../sources/arrival.ts'
import type { RequestRow } from './acts.ts'
import type { ActRow, ChainedAct } from './chain.ts'
import type { LoopRow } from './loops.ts'
import type { LoggedChange, LoggedReport, LoggedVerdict, SessionRow } from './store.ts'

export type Row = Readonly<Record<string, SQLOutputValue>>

/** Undefined when vigil cannot have written the row: a damaged page may pass SQLite's checks. */
export function reportFrom(row: Row): LoggedReport | undefined {
  const report = objectIn(row.body)
  if (!report || !isNumber(row.id) || !isReport(report)) return undefined
  return { id: row.id, session: textOrNone(row.session), key: textOrNone(row.key), report }
}

function isReport(value: Readonly<Record<string, unknown>>): value is Report {
  return isNumber(value.t) && (SOURCES as readonly unknown[]).includes(value.source)
}

export function changeFrom(row: Row): LoggedChange | undefined {
  const { id, t, session, kind } = row
  if (kind !== 'gone') return verdictFrom(row)
  const rest = objectIn(row.body)
  if (!rest || !isNumber(id) || !isNumber(t) || typeof session !== 'string') return undefined
  return { id, t, session, kind, became: textOrNone(rest.became) }
}

export function verdictFrom({ id, t, session, kind, body }: Row): LoggedVerdict | undefined {
  const verdict = objectIn(body)?.verdict
  if (!isNumber(id) || !isNumber(t) || typeof session !== 'string') return undefined
  if (kind !== 'verdict' && kind !== 'past') return undefined
  if (typeof verdict !== 'object' || verdict === null) return undefined
  return { id, t, session, kind, verdict: verdict as Verdict }
}

export function sessionFrom(row: Row): SessionRow | undefined {
  const { id, host, agent, state, first_at: firstAt, last_at: lastAt } = row
  if (typeof id !== 'string' || typeof host !== 'string') return undefined
  if (typeof agent !== 'string' || typeof state !== 'string') return undefined
  if (!isNumber(firstAt) || !isNumber(lastAt)) return undefined
  const open = row.open === 1
  const parent = textOrNone(row.parent)
  return { id, host, agent, state, firstAt, lastAt, open, parent, body: jsonIn(row.body) ?? null }
}

export function cursorFrom({ path, inode, read_to: offset }: Row): Cursor | undefined {
  if (typeof path !== 'string' || typeof inode !== 'string' || !isNumber(offset)) return undefined
  return { path, inode, offset }
}

export function loopFrom({ id, session, open, updated_at: updatedAt, body }: Row) {
  if (typeof id !== 'string' || typeof session !== 'string' || !isNumber(updatedAt))
    return undefined
  return { id, session, open: open === 1, updatedAt, body: jsonIn(body) } satisfies LoopRow
}

export function stepFrom({ body }: Row): Record<string, unknown> | undefined {
  return objectIn(body)
}

export function actFrom({ id, at, session, what, who, place: where, words }: Row) {
  if (!isNumber(id) || !isNumber(at) || typeof session !== 'string') return undefined
  if (typeof what !== 'string' || typeof who !== 'string') return undefined
  if (typeof where !== 'string' || typeof words !== 'string') return undefined
  return { id, at, session, what, who, where, words } satisfies ActRow
}

export function chainedFrom(row: Row): ChainedAct | undefined {
  const act = actFrom(row)
  const { shown, digest, previous, hash } = row
  if (!act || typeof previous !== 'string' || typeof hash !== 'string') return undefined
  return {
    ...act,
    shown: textOrNone(shown) ?? null,
    digest: textOrNone(digest) ?? null,
    previous,
    hash,
  }
}

export function requestFrom({ id, session, at, body }: Row) {
  if (typeof id !== 'string' || typeof session !== 'string' || !isNumber(at)) return undefined
  return { id, session, at, body: jsonIn(body) } satisfies RequestRow
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function objectIn(body: unknown): Record<string, unknown> | undefined {
  const value = jsonIn(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return value as Record<string, unknown>
}

function jsonIn(body: unknown): unknown {
  return typeof body === 'string' ? parseJson(body) : undefined
}
