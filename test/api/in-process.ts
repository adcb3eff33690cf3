import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { createApp } from '../../src/daemon/api/app.ts'

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** Asks the app without a socket. */
export async function inProcess(
  app: ReturnType<typeof createApp>,
  target: string,
  { method = 'GET', headers = {}, body: sent = '' }: Asked = {},
  outgoing?: unknown,
): Promise<Response> {
  const given = Object.entries(headers).map(([name, value]) => [name, [value]])
  const { status, ...response } = await app({
    method,
    target,
    headers: Object.fromEntries(given),
    body: Readable.from([Buffer.from(sent)]),
    outgoing: outgoing as ServerResponse | undefined,
  })
  const { body } = response
  if (typeof body === 'object' && body !== null && 'next' in body) throw new Error('a stream')
  return new Response(method === 'HEAD' ? null : (body as string | null), {
    status,
    headers: response.headers,
  })
}
