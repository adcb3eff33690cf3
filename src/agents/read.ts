import { parseJson } from '../core/json.ts'
import { PATH_MAX_CHARS, TEXT_MAX_CHARS } from '../core/limits.ts'
import type { Report } from '../core/signal.ts'

/** Readers for JSON of any content: a field of the wrong type counts as absent. */

export type Fields = Readonly<Record<string, unknown>>

const NOTHING: Fields = Object.freeze({})

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : NOTHING
}

/** From a line of a log; empty where it is not JSON. */
export function fieldsInLine(line: string): Fields {
  return fields(parseJson(line))
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** SPEC F1. Text for facts: for people to read, or an id of a client's usual length. */
export function shortText(value: unknown): string | undefined {
  const given = textIn(value)
  return given === undefined ? undefined : cutWord(given)
}

/** A path is used as well as read: whole or not at all. */
export function path(value: unknown): string | undefined {
  const given = textIn(value)
  return given !== undefined && given.length <= PATH_MAX_CHARS ? given : undefined
}

export function cutWord(value: string): string {
  return value.length > TEXT_MAX_CHARS ? `${value.slice(0, TEXT_MAX_CHARS - 1)}…` : value
}

export function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Leaves out undefined fields, so that facts hold no empty ones. */
export function given<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const copy = {} as { [K in keyof T]: Exclude<T[K], undefined> }
  for (const key in object)
    if (object[key] !== undefined) copy[key] = object[key] as Exclude<T[typeof key], undefined>
  return copy
}

/**
 * SPEC X2. A source's own time, never later than its arrival: all clocks here are one machine's.
 */
export function ownTime(value: unknown, arrived: number): number {
  // Without a zone a time means another moment on another machine (SPEC O3).
  const zoned = typeof value === 'string' && /(Z|[+-]\d\d:?\d\d)$/.test(value)
  const time = zoned ? Date.parse(value as string) : numberIn(value)
  return time !== undefined && Number.isFinite(time) ? Math.min(time, arrived) : arrived
}

/** SPEC X2. The time of a log's entry, by its own `timestamp`. */
export function entryTime({ entry, t }: Report): number {
  return ownTime(fields(entry).timestamp, t)
}

/** More than any model takes: a larger value is no count. */
const TOKENS_MAX = 1_000_000_000

/** A number of tokens; anything else counts as none. */
export function tokensIn(value: unknown): number {
  const count = numberIn(value) ?? 0
  return count > 0 && count <= TOKENS_MAX ? Math.floor(count) : 0
}
