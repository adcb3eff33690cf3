import { request } from 'node:http'

export interface PageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests are about.
  readonly json: any
}

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** A Unix socket, instead of the address's port on 127.0.0.1. */
  readonly socketPath?: string
}

/** Asks under the page's address. The system resolves no name under `localhost`, browsers do. */
export function askPage(address: string, asked: Asked = {}): Promise<PageAnswer> {
  const { method = 'GET', path = '/', headers = {}, body, socketPath } = asked
  const { host, port } = new URL(address)
  const bytes = body === undefined ? undefined : JSON.stringify(body)
  const json = { 'content-type': 'application/json', 'x-vigil': '1' }
  const where = socketPath === undefined ? { host: '127.0.0.1', port } : { socketPath }
  const all = { host, ...(bytes !== undefined && json), ...headers }
  return new Promise((resolve, reject) => {
    const sent = request({ ...where, method, path, headers: all, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => {
        const isJson = answer.headers['content-type']?.startsWith('application/json')
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text,
          json: isJson ? JSON.parse(text) : undefined,
        })
      })
    })
    if (bytes !== undefined) sent.setHeader('content-length', Buffer.byteLength(bytes))
    sent.on('error', reject).end(bytes)
  })
}

/** Signs in as a browser would that opened this address: `http://…/#code=…`. */
export function signInAt(signedIn: string, headers: Asked['headers'] = {}, socketPath?: string) {
  const { origin, hash } = new URL(signedIn)
  const body = { code: hash.slice('#code='.length) }
  const way = socketPath === undefined ? {} : { socketPath }
  return askPage(origin, { method: 'POST', path: '/v1/browsers/sign-in', headers, body, ...way })
}
