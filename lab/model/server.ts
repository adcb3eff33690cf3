import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sendError, sendJson } from './answer.ts'
import { Conversation, type SeenRequest } from './conversation.ts'
import { FAKE_KEY } from './key.ts'
import type { Script } from './script.ts'

/** A scripted stand-in for the Messages API, on a free port of loopback. */
export interface Model {
  readonly url: string
  /** Every request so far, in order of arrival. */
  readonly requests: readonly SeenRequest[]
  /** Releases the answers that `hold(name)` holds back, and later ones. */
  release(name?: string): void
  /** Closes open connections and frees the port. */
  stop(): Promise<void>
}

export async function startModel(script: Script): Promise<Model> {
  const conversation = new Conversation(script)
  const server = createServer((from, to) => {
    handle(conversation, from, to).catch((error) => {
      if (!to.headersSent) sendError(to, 500, `the stand-in broke: ${error}`)
      else to.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests: conversation.requests,
    release: (name = 'hold') => conversation.gates.release(name),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function handle(
  conversation: Conversation,
  from: IncomingMessage,
  to: ServerResponse,
): Promise<void> {
  const path = new URL(from.url ?? '/', 'http://127.0.0.1').pathname
  const seen: SeenRequest = { t: Date.now(), method: from.method ?? '', path }
  if (from.method !== 'POST' || path !== '/v1/messages') {
    conversation.requests.push(seen)
    answerOther(from, to, path)
  } else if (!holdsFakeKey(from)) {
    conversation.requests.push({ ...seen, outcome: 'failed' })
    sendError(to, 401, 'the stand-in takes its own fake key only; is a real one set?')
  } else {
    await conversation.answer(seen, await bodyOf(from), to)
  }
}

function answerOther(from: IncomingMessage, to: ServerResponse, path: string): void {
  from.resume()
  if (path === '/v1/messages/count_tokens') sendJson(to, 200, { input_tokens: 100 })
  else if (path === '/v1/models') sendJson(to, 200, { data: [], has_more: false })
  // Clients check that the host answers before they begin.
  else if (from.method === 'HEAD') to.writeHead(200).end()
  else {
    const error = { type: 'not_found_error', message: `the stand-in has no ${path}` }
    sendJson(to, 404, { type: 'error', error })
  }
}

/**
 * Another key would mean that the driver let a real one through. It arrives as a key, or as the
 * token of a user with a plan.
 */
function holdsFakeKey({ headers }: IncomingMessage): boolean {
  const sent = [headers['x-api-key'], headers.authorization?.replace('Bearer ', '')]
  const keys = sent.filter((key) => key !== undefined)
  return keys.length > 0 && keys.every((key) => key === FAKE_KEY)
}

/** The API's own limit. */
const BODY_MAX_BYTES = 32 * 1024 * 1024

async function bodyOf(from: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of from as AsyncIterable<Buffer>) {
    size += part.length
    if (size > BODY_MAX_BYTES) throw new Error(`a request of more than ${BODY_MAX_BYTES} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
