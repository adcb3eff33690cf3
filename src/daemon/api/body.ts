import { setTimeout } from 'node:timers/promises'
import { Problem } from '../problem.ts'
import { headerOf } from './admit.ts'
import type { Endpoint } from './endpoint.ts'
import type { Gate } from './gate.ts'
import { LINGER_MS } from './hang-up.ts'
import type { Exchange } from './route.ts'

/** Senders cut their reports; anything larger than this is no report. */
export const BODY_MAX_BYTES = 4 * 1024 * 1024

/** Counted while reading: the declared length is not trusted. */
export async function readJson(
  { request, headers }: Exchange,
  maxBytes: number,
  gate: Gate,
  endpoint: Endpoint,
): Promise<unknown> {
  const said = Number(headerOf(request, 'content-length') ?? 0)
  const reader = request.body[Symbol.asyncIterator]()
  const bytes = said > maxBytes ? undefined : await readUpTo(reader, maxBytes)
  if (bytes === undefined) {
    await discard(reader)
    // The rest may still arrive, so the connection cannot be reused.
    headers.connection = 'close'
    const { status, error } = gate.refuse('size', 413, endpoint, request.method)
    throw new Problem(status, error, 'body')
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Problem(400, `body: expected JSON in UTF-8, got ${bytes.length} other bytes`, 'body')
  }
}

/** Never returned early: that would destroy the connection before the response. */
type Reader = AsyncIterator<Uint8Array>

async function readUpTo(reader: Reader, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for (let part = await reader.next(); !part.done; part = await reader.next()) {
      length += part.value.length
      if (length > maxBytes) return undefined
      chunks.push(part.value)
    }
  } catch {
    throw new Problem(400, 'body: ended before its announced length', 'body')
  }
  return Buffer.concat(chunks)
}

/** A sender that is still sending would see a reset connection instead of the response. */
async function discard(reader: Reader): Promise<void> {
  const late = new AbortController()
  const enough = setTimeout(LINGER_MS, undefined, { signal: late.signal }).catch(() => {})
  const rest = (async () => {
    while (!late.signal.aborted && !(await reader.next()).done);
  })().catch(() => {})
  await Promise.race([enough, rest])
  late.abort()
}
