import type { AskedCall } from './answers.ts'

/** People read a few pages before deciding, not more; a question is far shorter. */
const INPUT_MAX_CHARS = 256 * 1024

/** Enough to recognise the request. */
const SHORT_MAX_CHARS = 400

/** SPEC BR4. The short form where the requests of a listing are too long together. */
export function shortOf(asked: AskedCall): AskedCall {
  const input = within(asked.input, { chars: SHORT_MAX_CHARS }, 0)
  return { ...asked, input, cut: true, questions: [], plan: null, offers: [] }
}

/** SPEC AN5. */
export function boundedInput(input: unknown): { readonly input: unknown; readonly cut: boolean } {
  const length = JSON.stringify(input ?? null).length
  if (length <= INPUT_MAX_CHARS) return { input: input ?? null, cut: false }
  const room = { chars: INPUT_MAX_CHARS }
  return { input: within(input, room, 0), cut: true }
}

/** Clients nest a few levels deep. */
const DEPTH_MAX = 16
/** The overhead of each value besides its text: quotes, commas, braces. */
const VALUE_CHARS = 4

function within(value: unknown, room: { chars: number }, depth: number): unknown {
  room.chars -= VALUE_CHARS
  if (room.chars <= 0) return null
  if (typeof value === 'string') {
    const kept = value.slice(0, room.chars)
    room.chars -= kept.length
    return kept.length < value.length ? `${kept}…` : kept
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_MAX) return null
  if (Array.isArray(value)) return taken(value, room, (entry) => within(entry, room, depth + 1))
  const entries = taken(Object.entries(value), room, ([key, entry]) => {
    room.chars -= key.length
    return [key, within(entry, room, depth + 1)] as const
  })
  return Object.fromEntries(entries)
}

/** As many as fit. */
function taken<T, R>(values: readonly T[], room: { chars: number }, take: (value: T) => R): R[] {
  const kept: R[] = []
  for (const value of values) {
    if (room.chars <= 0) break
    kept.push(take(value))
  }
  return kept
}
