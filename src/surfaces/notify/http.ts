import type { IncomingMessage } from 'node:http'
import { ChannelError } from './channel.ts'

/** How much of an answer is read: an id, or an error message. */
const ANSWER_MAX_BYTES = 10_000

/** A retry helps only if the server was busy or broken for a moment. */
const PASSING = new Set([408, 425, 429])

interface Post {
  readonly url: string
  readonly body?: string
  readonly method?: 'POST' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/**
 * SPEC NO24. Sends JSON and returns the beginning of the answer. Redirects are refused, so that a
 * message never goes to another address. Errors name only the host, because some addresses are
 * secrets themselves. Not `fetch`: it keeps connections open, and a daemon that ends would wait for
 * them.
 */
export function post({ url, body, method = 'POST', headers, signal }: Post): Promise<string> {
  const { host, protocol } = new URL(url)
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const length = { 'content-length': Buffer.byteLength(body ?? '') }
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) =>
      reject(new ChannelError(`${host}: ${error.code ?? error.message}`, true))
    const options = {
      method,
      headers: { 'user-agent': 'vigil', ...type, ...length, ...headers },
      agent: false as const,
      signal,
    }
    // SPEC LI8. Loaded with the first message.
    const { request } = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
    request(url, options, (response) => {
      beginningOf(response).then((answer) => {
        const fault = faultIn(response, host)
        if (fault) reject(fault)
        else resolve(answer)
      }, failed)
    })
      .on('error', failed)
      .end(body)
  })
}

/** Does not wait for the rest. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Leaving the loop early closes the connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > ANSWER_MAX_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_MAX_BYTES).toString('utf8')
}

function faultIn(response: IncomingMessage, host: string): ChannelError | undefined {
  const { statusCode: status = 0, headers } = response
  if (status >= 200 && status < 300) return undefined
  const isPassing = PASSING.has(status) || status >= 500
  const afterMs = retryAfterMs(headers['retry-after'])
  return new ChannelError(`${host} answered ${status}`, isPassing, afterMs)
}

/** In seconds, or as a date. */
function retryAfterMs(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const ms = /^\d+(\.\d+)?$/.test(given.trim())
    ? Number(given) * 1000
    : Date.parse(given) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
