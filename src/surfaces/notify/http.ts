import { ChannelError } from './channel.ts'

/** What is read of an answer: an id, or a word about what was wrong. */
const ANSWER_MAX_BYTES = 10_000

/** Trying again helps only where the other side was busy or broken for a moment. */
const PASSING = new Set([408, 425, 429])

interface Post {
  readonly url: string
  readonly body?: string
  readonly method?: 'POST' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/**
 * SPEC NO24. Sends JSON, and gives the beginning of the answer. A redirect is refused: what was
 * meant for one address is told to no other. Errors name the host alone, for some addresses are
 * secrets themselves.
 */
export async function post({ url, body, method = 'POST', headers, signal }: Post): Promise<string> {
  const { host } = new URL(url)
  const response = await fetch(url, {
    method,
    headers: {
      'user-agent': 'vigil',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal,
  }).catch((error: Error) => {
    throw new ChannelError(`${host}: ${causeOf(error)}`, true)
  })
  const answer = await beginningOf(response).catch((error: Error) => {
    throw new ChannelError(`${host}: ${causeOf(error)}`, true)
  })
  if (response.ok) return answer
  const { status } = response
  const isPassing = PASSING.has(status) || status >= 500
  throw new ChannelError(`${host} answered ${status}`, isPassing, retryAfterMs(response.headers))
}

/** The rest is not waited for. */
async function beginningOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > ANSWER_MAX_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_MAX_BYTES).toString('utf8')
}

/** In seconds, or as a date. */
function retryAfterMs(headers: Headers): number | undefined {
  const given = headers.get('retry-after')
  if (given === null) return undefined
  const ms = /^\d+(\.\d+)?$/.test(given.trim())
    ? Number(given) * 1000
    : Date.parse(given) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** `fetch failed` says nothing; why is in its cause. */
function causeOf({ message, cause }: Error): string {
  const { code, message: inner } = (cause ?? {}) as { code?: unknown; message?: unknown }
  return String(code ?? inner ?? message)
}
